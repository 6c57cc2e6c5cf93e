import * as Schema from "effect/Schema"
import { isPrice } from "./requests/Bounds.ts"

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

/** Prices within their bounds, not crossed: anything else decides nothing. */
export const isSound = (ticker: Ticker): boolean =>
  isPrice(ticker.bid) && isPrice(ticker.ask) && isPrice(ticker.last) && ticker.bid <= ticker.ask
