import * as Data from "effect/Data"

/** The body of every answer that is not a success (RFC 9457). */
export interface Body {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly message: string
  readonly errors: Readonly<Record<string, ReadonlyArray<string>>>
  readonly request_id: string
}

/** A refusal as it goes over the wire. Clients catch it by its tag and look at `status` and `code`. */
export class Problem extends Data.TaggedError("Problem")<Body> {}

export const CONTENT_TYPE = "application/problem+json"
