/** Why something was refused, in the server's words; `status` 0 where it could not be asked at all. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  /** What to change, by field of the request. */
  readonly errors: Readonly<Record<string, ReadonlyArray<string>>>

  constructor(status: number, code: string, message: string, errors: Problem["errors"] = {}) {
    super(message)
    this.name = "Problem"
    this.status = status
    this.code = code
    this.errors = errors
  }

  static readonly unreachable = () =>
    new Problem(0, "unreachable", "The server cannot be reached. It is asked again as soon as it answers.")

  /** Whatever was thrown, as a problem. */
  static readonly of = (thrown: unknown): Problem =>
    thrown instanceof Problem
      ? thrown
      : new Problem(
          0,
          "fault",
          thrown instanceof Error ? thrown.message : "Something went wrong in the page."
        )

  /** The problem in an answer that is not a success. */
  static readonly read = async (response: Response): Promise<Problem> => {
    const body: unknown = await response.json().catch(() => undefined)
    const told = typeof body === "object" && body !== null ? body : {}
    return new Problem(
      response.status,
      "code" in told ? String(told.code) : "unknown",
      "message" in told ? String(told.message) : `The server answered ${response.status}.`,
      "errors" in told ? errorsOf(told.errors) : {}
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
