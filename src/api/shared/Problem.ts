// The body of every response that is not a success: a problem document (RFC 9457).
import * as Data from "effect/Data"

/** The fields of a problem document; `code` is stable. */
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

/** A problem as an error. Clients catch it by its tag, then read `status` and `code`. */
export class Problem extends Data.TaggedError("Problem")<Body> {}

export const CONTENT_TYPE = "application/problem+json"
