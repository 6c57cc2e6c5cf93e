// An error as the page shows it, with the server's text. `status` is 0 if there was no response.

/** The code of an answer that is no problem document, such as a proxy's. */
const UNKNOWN = "unknown"

export class Problem extends Error {
  readonly status: number
  readonly code: string
  /** Messages by field of the request. */
  readonly errors: Readonly<Record<string, ReadonlyArray<string>>>

  /** Whether the code is the server's, which the guide explains. */
  get isExplained(): boolean {
    return this.status > 0 && this.code !== UNKNOWN
  }

  constructor(status: number, code: string, message: string, errors: Problem["errors"] = {}) {
    super(message)
    this.name = "Problem"
    this.status = status
    this.code = code
    this.errors = errors
  }

  static readonly unreachable = () =>
    new Problem(0, "unreachable", "The server cannot be reached. The page tries again by itself.")

  /** Turns anything thrown into a problem. */
  static readonly of = (thrown: unknown): Problem =>
    thrown instanceof Problem
      ? thrown
      : new Problem(
          0,
          "fault",
          thrown instanceof Error ? thrown.message : "Something went wrong in the page."
        )

  /** Reads the problem document of a response. */
  static readonly read = async (response: Response): Promise<Problem> => {
    const body: unknown = await response.json().catch(() => undefined)
    const fields = typeof body === "object" && body !== null ? body : {}
    return new Problem(
      response.status,
      "code" in fields ? String(fields.code) : UNKNOWN,
      "message" in fields ? String(fields.message) : `The server answered ${response.status}.`,
      "errors" in fields ? errorsOf(fields.errors) : {}
    )
  }
}

const errorsOf = (errors: unknown): Problem["errors"] =>
  typeof errors !== "object" || errors === null
    ? {}
    : Object.fromEntries(
        Object.entries(errors).map(([field, texts]) => [
          field,
          Array.isArray(texts) ? texts.map(String) : [String(texts)]
        ])
      )
