// A ticker: bid, ask and last price of a market. Only a sound one (in bounds, not crossed) may be decided on.
import * as Schema from "effect/Schema"
import { isPrice } from "./requests/Bounds.ts"

/**
 * The best prices of a market at `at` (ms since the epoch). Feeds without an order book repeat `last` as bid and ask.
 */
export const Ticker = Schema.Struct({
  bid: Schema.Number,
  ask: Schema.Number,
  last: Schema.Number,
  at: Schema.Int
})
export type Ticker = typeof Ticker.Type

/** A ticker from a last price alone. */
export const ofLast = (last: number, at: number): Ticker => ({ bid: last, ask: last, last, at })

/** Whether the prices are in bounds and not crossed. */
export const isSound = (ticker: Ticker): boolean =>
  isPrice(ticker.bid) && isPrice(ticker.ask) && isPrice(ticker.last) && ticker.bid <= ticker.ask
