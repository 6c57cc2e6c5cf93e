// The body of every response that is not a success: a problem document (RFC 9457). As types, problems are a union that
// `code` tells apart.
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import type { REFUSALS } from "../../domain/Arming.ts"
import type { Code, Status, StatusOf, UNRECOGNIZED } from "./Codes.ts"

/** The texts of each field of the request that has to be changed. */
type Errors<Field extends string> = string extends Field
  ? Readonly<Record<string, ReadonlyArray<string>>>
  : { readonly [Name in Field]?: ReadonlyArray<string> }

/** The fields of a problem document; `code` is stable. */
export interface Body {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: Code | typeof UNRECOGNIZED
  readonly message: string
  readonly errors: Errors<string>
  readonly request_id: string
}

/** A problem as an error. Clients catch it by its tag, then switch on `code`. */
export class Problem extends Data.TaggedError("Problem")<Body> {}

type OfTerms = "account" | "capital" | "max_order" | "max_daily_loss" | "confirmation"
/** The fields that may be at fault, by code; the other codes are about none. */
interface Fields extends Readonly<Record<(typeof REFUSALS)[number], OfTerms>> {
  readonly invalid_request: string
  readonly signal_inactive: "signal_id"
  readonly idempotency_key_reused: "Idempotency-Key"
}

interface Common extends Cause.YieldableError {
  readonly _tag: "Problem"
  readonly type: string
  readonly title: string
  readonly detail: string
  readonly message: string
  readonly request_id: string
}

/** A problem with one of these codes, as a union that `code` tells apart. */
export type ProblemOf<C extends Code, S extends Status = Status> = {
  readonly [One in C]: Common & {
    readonly code: One
    readonly status: S & StatusOf<One>
    readonly errors: Errors<One extends keyof Fields ? Fields[One] : never>
  }
}[C]

/** A problem whose code this version does not know: `type` names it. */
export interface Unrecognized<S extends Status = Status> extends Common {
  readonly code: typeof UNRECOGNIZED
  readonly status: S
  readonly errors: Errors<string>
}

/** A problem of one status with one of these codes, as an operation declares it. */
export type ProblemAt<S extends Status, C extends Code> = ProblemOf<C, S> | Unrecognized<S>

export const CONTENT_TYPE = "application/problem+json"
