// The port of prices: quotes as they stream in, or whole candles in a replay. Its one reader is the engine, and asking
// for the next batch confirms the one before.
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { Candle } from "../domain/Candle.ts"
import type { ExchangeName, MarketId, Pair } from "../domain/Market.ts"
import type { Ticker } from "../domain/Ticker.ts"

/** A price: the best bid and ask of one market now, or a whole candle, which prices spot and perpetual alike. */
export type PriceEvent = Data.TaggedEnum<{
  Quoted: Quote
  Barred: { readonly exchange: ExchangeName; readonly pair: Pair; readonly candle: Candle }
}>
export const PriceEvent = Data.taggedEnum<PriceEvent>()

/** A price of a market, as the exchange reported it. */
export interface Quote {
  readonly market: MarketId
  readonly ticker: Ticker
}

/** Counts of an exchange's quotes since the start: accepted, held as outliers, or dropped because they are no price. */
export interface QuoteCounts {
  readonly accepted: number
  readonly held: number
  readonly dropped: number
}

/**
 * How an exchange's prices arrive: `connecting` for the first time, `streaming`, `polling` while its streams are down
 * or silent, `unreachable` when nothing arrives.
 */
export interface FeedHealth {
  readonly exchange: ExchangeName
  readonly state: "connecting" | "streaming" | "polling" | "unreachable"
  /** Since when (ms since the epoch). */
  readonly since: number
  /** The number of watched markets, and of those without a fresh price. */
  readonly markets: number
  readonly stale: number
  /** How often its streams were reopened. */
  readonly reconnects: number
  /** The last error in words; empty while all is well. */
  readonly reason: string
  readonly quotes: QuoteCounts
}

/**
 * The prices for the engine. A port. There is one reader, the engine: asking for the next batch confirms that the one
 * before has been handled, so that a feed of recorded prices can wait for the bots.
 *
 * **An implementation keeps**
 *
 * - Order: prices of a market come in the sequence in which they were made; of several in a batch the last one counts.
 *   `next` waits and never returns an empty batch.
 * - Soundness: a price is finite and above zero, a bid not above its ask. Anything else is dropped: bots trade on
 *   whatever comes.
 * - Freshness: `watch` replaces all that was watched. Prices of other markets do no harm; a watched market without
 *   prices shows in `health`.
 * - Bounds: while the reader is slow, new prices of a market replace old ones, or the publisher waits.
 * - Errors: none reach the reader. A broken feed says so in `health`, and retries.
 *
 * **Proved by** `TickersContract` of `signalbox/testing`. In a test, publish prices through `PriceFeed` instead.
 *
 * @category Ports
 */
export class Tickers extends Context.Tag("signalbox/services/Tickers")<
  Tickers,
  {
    /** Waits for the next prices, oldest first. Never empty. */
    readonly next: Effect.Effect<ReadonlyArray<PriceEvent>>
    /** The source in words, for the start-up line and health: `none`, `replay of 3 recordings`. */
    readonly describe: string
    /** Sets the markets whose prices are needed from now on, in place of those before. */
    readonly watch: (markets: ReadonlyArray<MarketId>) => Effect.Effect<void>
    /** One line for each watched exchange; empty for a feed that watches none. */
    readonly health: Effect.Effect<ReadonlyArray<FeedHealth>>
  }
>() {}
