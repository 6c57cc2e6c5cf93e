import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { Candle } from "../domain/Candle.ts"
import type { ExchangeName, MarketId, Pair } from "../domain/Market.ts"
import type { Ticker } from "../domain/Ticker.ts"

/** A price that came in: the best prices of one market now, or a whole bar, which serves spot and swap alike. */
export type PriceEvent = Data.TaggedEnum<{
  Quoted: Quote
  Barred: { readonly exchange: ExchangeName; readonly pair: Pair; readonly candle: Candle }
}>
export const PriceEvent = Data.taggedEnum<PriceEvent>()

/** A price of a market, as an exchange gave it. */
export interface Quote {
  readonly market: MarketId
  readonly ticker: Ticker
}

/** What became of the quotes of an exchange since the start: let through, held back as wild, or no price at all. */
export interface QuoteCounts {
  readonly accepted: number
  readonly held: number
  readonly dropped: number
}

/**
 * How the prices of one exchange come in: `connecting` for the first time, `streaming`, `polling` while its streams
 * are down or silent, `unreachable` when nothing comes at all.
 */
export interface FeedHealth {
  readonly exchange: ExchangeName
  readonly state: "connecting" | "streaming" | "polling" | "unreachable"
  /** Since when (ms since the epoch). */
  readonly since: number
  /** Markets that are watched, and those of them without a fresh price. */
  readonly markets: number
  readonly stale: number
  /** How often its streams were opened anew. */
  readonly reconnects: number
  /** What went wrong last, in words; empty while all is well. */
  readonly reason: string
  readonly quotes: QuoteCounts
}

/**
 * Where prices come from. A port. There is one reader, the engine: asking for the next batch tells that the one before
 * has been dealt with, so that a feed of recorded prices can wait for the bots.
 *
 * **Whoever implements it keeps**
 *
 * - Order: prices of a market come as they were made; of several in a batch the last one stands. `next` waits and
 *   never answers with an empty batch.
 * - Soundness: a price is finite and above zero, a bid not above its ask. What is not is left out: bots trade on
 *   whatever comes.
 * - Freshness: `watch` replaces all that was watched. Prices of other markets do no harm; those of a watched one that
 *   stay away show in `health`.
 * - Bounds: while the reader is slow, old prices of a market make room for new ones, or whoever publishes waits.
 * - Errors: none reach the reader. A feed that is broken says so in `health`, and goes on trying.
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
    /** In words, for the start-up line and health: `none`, `replay of 3 recordings`. */
    readonly describe: string
    /** The markets whose prices are needed from now on, in place of those before. */
    readonly watch: (markets: ReadonlyArray<MarketId>) => Effect.Effect<void>
    /** One line for each exchange that is watched; empty for a feed that watches none. */
    readonly health: Effect.Effect<ReadonlyArray<FeedHealth>>
  }
>() {}
