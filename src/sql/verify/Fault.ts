// The findings of a verification.
import type { Finding, Pause } from "../../trading/audit/Books.ts"

/** A fault in a database, with the strategy whose books it is in. */
export interface Fault extends Finding {
  readonly strategy?: number
}

/** A check of one part of a database, as a generator that pauses. */
export type Check<A = void> = Generator<Fault | Pause, A>
