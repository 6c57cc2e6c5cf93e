import * as Schema from "effect/Schema"

/** The best prices of a market at a moment (`at`: ms since the epoch). Feeds without a book give `last` thrice. */
export const Ticker = Schema.Struct({
  bid: Schema.Number,
  ask: Schema.Number,
  last: Schema.Number,
  at: Schema.Int
})
export type Ticker = typeof Ticker.Type

/** A ticker of a feed that has only the last price. */
export const ofLast = (last: number, at: number): Ticker => ({ bid: last, ask: last, last, at })

/** Finite, positive, not crossed: anything else decides nothing. */
export const isSound = (ticker: Ticker): boolean =>
  ticker.bid > 0 &&
  ticker.bid <= ticker.ask &&
  ticker.ask < Number.POSITIVE_INFINITY &&
  ticker.last > 0 &&
  ticker.last < Number.POSITIVE_INFINITY
