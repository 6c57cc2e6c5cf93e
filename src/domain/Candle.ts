// A candle of a market. It is sound if its prices are in bounds and low and high enclose open and close.
import * as Schema from "effect/Schema"
import { MAX_AMOUNT } from "./requests/Bounds.ts"

/** A candle. `at` is its opening time (ms since the epoch); prices in quote, volume in base. */
export const Candle = Schema.Struct({
  at: Schema.Int,
  open: Schema.Number,
  high: Schema.Number,
  low: Schema.Number,
  close: Schema.Number,
  volume: Schema.Number
})
export type Candle = typeof Candle.Type

/** Whether the prices are in bounds and low and high enclose open and close. */
export const isSound = (candle: Candle): boolean =>
  candle.low > 0 &&
  candle.high <= MAX_AMOUNT &&
  candle.low <= Math.min(candle.open, candle.close) &&
  candle.high >= Math.max(candle.open, candle.close) &&
  candle.volume >= 0
