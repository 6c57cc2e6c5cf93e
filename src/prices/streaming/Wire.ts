// The messages between the server and the thread of the price feeds. Quotes and trades are rows of numbers, because
// they cross many times a second.
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import type { KnownExchange, MarketKind, Pair } from "../../domain/Market.ts"
import type { PageFailed } from "../../services/feeds/CandlePages.ts"
import type { FeedReport } from "../../services/feeds/StreamingFeed.ts"

/** A market and its number in messages. */
export interface Wanted {
  readonly number: number
  readonly pair: Pair
  readonly kind: MarketKind
}

/** Replaces the wanted markets of an exchange; no markets end its session. */
export interface Watch {
  readonly exchange: KnownExchange
  /** The base URL that replaces the exchange's own; empty for none. */
  readonly base: string
  readonly markets: ReadonlyArray<Wanted>
  /** Whether trades are wanted. */
  readonly trades: boolean
  /** The pauses shared between the threads (see Pauses). */
  readonly pauses: SharedArrayBuffer
}

/** Asks for candles of a series that open from `from` on and before `until` (ms): at most a page. */
export interface PageQuestion {
  readonly question: number
  readonly series: CandleSeries
  readonly from: number
  readonly until: number
}

/** The answer: candles as rows of numbers, or why there are none. */
export interface PageAnswer {
  readonly _tag: "Page"
  readonly question: number
  readonly rows?: Float64Array
  readonly failure?: { readonly reason: string; readonly pauseMs: number; readonly kind: PageFailed["kind"] }
}

/** A message of the thread. `rows` holds numbers in groups of `QUOTE_ROW` or `TRADE_ROW`. */
export type FeedMessage =
  | { readonly _tag: "Quotes"; readonly rows: Float64Array }
  | { readonly _tag: "Trades"; readonly rows: Float64Array }
  /** From now on every trade of these markets arrives. */
  | { readonly _tag: "Whole"; readonly numbers: ReadonlyArray<number> }
  /** Trades of these markets may be missing since `since` (ms). */
  | { readonly _tag: "Broken"; readonly numbers: ReadonlyArray<number>; readonly since: number }
  | { readonly _tag: "Health"; readonly health: FeedReport }
  | PageAnswer
  /** Sent every second: the thread is running. */
  | { readonly _tag: "Alive" }

/** A quote as numbers. */
export type QuoteRow = readonly [market: number, bid: number, ask: number, last: number, at: number]
export const QUOTE_ROW = 5
/** A candle as numbers. */
export type CandleRow = readonly [
  at: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number
]
export const CANDLE_ROW = 6
/** A trade as numbers. */
export type TradeRow = readonly [market: number, price: number, amount: number, at: number]
export const TRADE_ROW = 4
