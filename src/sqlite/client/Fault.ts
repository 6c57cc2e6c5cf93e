import type { Finding, Pause } from "../../trading/audit/Books.ts"

/** Something that is wrong in a database, with the strategy whose books it is in. */
export interface Fault extends Finding {
  readonly strategy?: number
}

/** A look at some part of a database. */
export type Check = Generator<Fault | Pause>
