import type { ExchangeName, MarketKind, Pair } from "../../domain/Market.ts"
import type { FeedReport } from "../../services/feeds/StreamingFeed.ts"

/** A market with the number that the server knows it by: what goes between the threads many times a second is numbers. */
export interface Wanted {
  readonly number: number
  readonly pair: Pair
  readonly kind: MarketKind
}

/** What the server asks of the thread: the markets of an exchange, in place of those before; none ends it. */
export interface Watch {
  readonly exchange: ExchangeName
  /** Where the exchange is reached instead of at its own addresses; empty for those. */
  readonly base: string
  readonly markets: ReadonlyArray<Wanted>
  /** Whether trades are wanted too. */
  readonly trades: boolean
  /** Until when exchanges want to be left alone (see Pauses). */
  readonly pauses: SharedArrayBuffer
}

/** What the thread tells. `rows` holds numbers in groups of `QUOTE_ROW` or `TRADE_ROW`. */
export type FeedMessage =
  | { readonly _tag: "Quotes"; readonly rows: Float64Array }
  | { readonly _tag: "Trades"; readonly rows: Float64Array }
  /** Every trade of these markets is told from now on. */
  | { readonly _tag: "Whole"; readonly numbers: ReadonlyArray<number> }
  /** Trades of these markets may be missing since then (ms). */
  | { readonly _tag: "Broken"; readonly numbers: ReadonlyArray<number>; readonly since: number }
  | { readonly _tag: "Health"; readonly health: FeedReport }
  /** That it is there, every second. */
  | { readonly _tag: "Alive" }

/** Number of the market, bid, ask, last, time (ms). */
export const QUOTE_ROW = 5
/** Number of the market, price, amount, time (ms). */
export const TRADE_ROW = 4
