// Streaming prices on their way to the engine: adapters publish without waiting, outliers are held back, and a slow
// engine gets the newest price of each market.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { FRESH_MS } from "../../domain/internal/PriceFreshness.ts"
import { EXCHANGE_NAMES, type ExchangeName, type MarketId } from "../../domain/Market.ts"
import { type FeedHealth, type Quote, Tickers } from "../Tickers.ts"
import type { Seen } from "./Candles.ts"
import { MinuteCandles } from "./streaming/MinuteCandles.ts"
import { OutlierFilter } from "./streaming/OutlierFilter.ts"
import { QuoteQueue } from "./streaming/QuoteQueue.ts"

/** An adapter's report on an exchange. Counts of markets and quotes are added here. */
export type FeedReport = Pick<FeedHealth, "exchange" | "state" | "since" | "reconnects" | "reason">

/**
 * The feed to which adapters publish streaming prices. Methods that return no effect are synchronous and never wait:
 * message handlers call them.
 */
export class StreamingFeed extends Context.Tag("signalbox/services/feeds/StreamingFeed")<
  StreamingFeed,
  {
    /**
     * Takes in prices in arrival sequence. An outlier is held back until a second one confirms it. While the engine is
     * slow, prices queue up to a bound; beyond it, only the newest of each market is kept.
     */
    readonly publish: (quotes: ReadonlyArray<Quote>) => void
    /** The markets whose prices are needed now. */
    readonly wanted: Effect.Effect<ReadonlyArray<MarketId>>
    /** `wanted` now and after each change; a slow reader gets only the newest. */
    readonly changes: Stream.Stream<ReadonlyArray<MarketId>>
    /** Sets how an exchange's prices arrive from now on. */
    readonly report: (report: FeedReport) => void
    /** Reads one-minute candles built from a market's accepted prices, of the last day at most. */
    readonly seen: Seen
    /** Removes the report of an exchange that is no longer followed. */
    readonly forget: (exchange: ExchangeName) => void
  }
>() {}

const make = Effect.fnUntraced(function* (describe: string) {
  const outliers = new OutlierFilter()
  const pending = new QuoteQueue()
  const minutes = new MinuteCandles()
  const reports = new Map<ExchangeName, FeedReport>()
  const wanted = yield* SubscriptionRef.make<ReadonlyArray<MarketId>>([])
  /** Open while prices are queued. */
  const arrived = yield* Effect.makeLatch()

  const publish = (quotes: ReadonlyArray<Quote>): void => {
    for (const quote of quotes) {
      if (!outliers.passes(quote)) continue
      pending.add(quote)
      minutes.add(quote)
    }
    if (pending.size > 0) arrived.unsafeOpen()
  }

  const take = Effect.sync(() => {
    arrived.unsafeClose()
    return pending.take()
  })
  // There is one reader, so what opened the latch is still queued.
  const next = Effect.zipRight(arrived.await, take)

  /** An exchange starts as `connecting`. */
  const watch = Effect.fn("StreamingFeed.watch")(function* (markets: ReadonlyArray<MarketId>) {
    const since = yield* Clock.currentTimeMillis
    for (const { exchange } of markets) {
      if (!reports.has(exchange))
        reports.set(exchange, { exchange, state: "connecting", since, reconnects: 0, reason: "" })
    }
    yield* SubscriptionRef.set(wanted, markets)
  })

  const health = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const watched = yield* SubscriptionRef.get(wanted)
    const isStale = (market: MarketId) =>
      Math.abs(now - (outliers.lastAt(market) ?? Number.NEGATIVE_INFINITY)) > FRESH_MS
    return EXCHANGE_NAMES.flatMap((exchange): ReadonlyArray<FeedHealth> => {
      const report = reports.get(exchange)
      if (report === undefined) return []
      const markets = watched.filter((market) => market.exchange === exchange)
      const stale = markets.filter(isStale).length
      return [{ ...report, markets: markets.length, stale, quotes: outliers.countsOf(exchange) }]
    })
  })

  const feed = StreamingFeed.of({
    publish,
    wanted: SubscriptionRef.get(wanted),
    changes: Stream.buffer(wanted.changes, { capacity: 1, strategy: "sliding" }),
    report: (report) => void reports.set(report.exchange, report),
    seen: (market, from, until) => minutes.between(market, from, until),
    forget: (exchange) => void reports.delete(exchange)
  })
  return Context.make(StreamingFeed, feed).pipe(Context.add(Tickers, { next, describe, watch, health }))
})

/** A feed between adapters and the engine; `describe` names the source in words. */
export const layerOf = (describe: string): Layer.Layer<StreamingFeed | Tickers> =>
  Layer.effectContext(make(describe))

/** Streaming prices of exchanges, described as `live`. */
export const layer = layerOf("live")
