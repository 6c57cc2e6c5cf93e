// A series of candles: those of one market in one timeframe. Stored candles are kept and named by UTC day.
import type { MarketId } from "../Market.ts"
import { millisOf, type Timeframe } from "./Timeframe.ts"

/** The candles of a market in a timeframe. */
export interface CandleSeries extends MarketId {
  readonly timeframe: Timeframe
}

/** A UTC day in ms. */
export const DAY_MS = 86_400_000

/** The start of the UTC day that a time lies in (both ms). */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS

/** The day as `2026-11-05`. */
export const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The start (ms) of a written day like `2026-11-05`; undefined for a text that names none. */
export const dayAt = (text: string): number | undefined => {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // Date.parse turns 30 February into 2 March: reject a day that does not print as it was written.
  return Number.isNaN(at) || dayText(at) !== text ? undefined : at
}

/**
 * How long (ms) a candle must be over before it is stored: trades arrive late, and this machine's clock may be ahead of
 * the exchange's.
 */
export const SETTLED_MS = 10_000

/** The end (ms) of the newest candle that is surely over at `now`. */
export const closedUntil = (timeframe: Timeframe, now: number): number => {
  const span = millisOf(timeframe)
  return Math.floor((now - SETTLED_MS) / span) * span
}

/** The name of a series in a sentence: `1m candles of BTC/USDT (spot) at binance`. */
export const seriesText = ({ exchange, kind, pair, timeframe }: CandleSeries): string =>
  `${timeframe} candles of ${pair} (${kind}) at ${exchange}`
