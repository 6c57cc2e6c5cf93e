import type { Finding, Pause } from "../trading/Books.ts"

/** Something that is wrong in a database, with the strategy whose books it is in. */
export interface Fault extends Finding {
  readonly strategy?: number
}

/** A look at some part of a database. */
export type Look = Generator<Fault | Pause>
