import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { Candle } from "../domain/Candle.ts"
import type { ExchangeName, MarketId, Pair } from "../domain/Market.ts"
import type { Ticker } from "../domain/Ticker.ts"

/** A price that came in: the best prices of one market now, or a whole bar, which serves spot and swap alike. */
export type PriceEvent = Data.TaggedEnum<{
  Quoted: { readonly market: MarketId; readonly ticker: Ticker }
  Barred: { readonly exchange: ExchangeName; readonly pair: Pair; readonly candle: Candle }
}>
export const PriceEvent = Data.taggedEnum<PriceEvent>()

/**
 * Where prices come from. A port. There is one reader, the engine: asking for the next batch tells that the one
 * before has been dealt with, so that a feed of recorded prices can wait for the bots.
 */
export class Tickers extends Context.Tag("signalbox/services/Tickers")<
  Tickers,
  {
    /** Waits for the next prices, oldest first. Never empty. */
    readonly next: Effect.Effect<ReadonlyArray<PriceEvent>>
    /** In words, for the start-up line and health: `none`, `replay of 3 recordings`. */
    readonly describe: string
  }
>() {}
