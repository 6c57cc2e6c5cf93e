import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { FRESH_MS } from "../../domain/internal/Freshness.ts"
import { EXCHANGE_NAMES, type ExchangeName, type MarketId } from "../../domain/Market.ts"
import { type FeedHealth, type Quote, Tickers } from "../Tickers.ts"
import type { Seen } from "./Candles.ts"
import { Minutes } from "./streaming/Minutes.ts"
import { Pending } from "./streaming/Pending.ts"
import { PriceBands } from "./streaming/Sieve.ts"

/** What an adapter tells of an exchange. Markets, stale ones and quotes are counted here. */
export type FeedReport = Pick<FeedHealth, "exchange" | "state" | "since" | "reconnects" | "reason">

/**
 * Where prices of exchanges are handed to the engine. What returns no effect is synchronous and never waits: it is for
 * handlers of messages.
 */
export class StreamingFeed extends Context.Tag("signalbox/services/feeds/StreamingFeed")<
  StreamingFeed,
  {
    /**
     * Takes prices in, in the order in which they came. Wild ones are held back until a second confirms them. While
     * the engine is slow they pile up to a bound, and beyond it only the newest of each market is kept.
     */
    readonly publish: (quotes: ReadonlyArray<Quote>) => void
    /** The markets whose prices are needed now. */
    readonly wanted: Effect.Effect<ReadonlyArray<MarketId>>
    /** The same now and after each change; a reader who is slow finds only the newest. */
    readonly changes: Stream.Stream<ReadonlyArray<MarketId>>
    /** How the prices of an exchange come in from now on. */
    readonly report: (report: FeedReport) => void
    /** One-minute candles of the prices of a market that were let through, of the last day at most. */
    readonly seen: Seen
    /** The exchange is followed no longer. */
    readonly forget: (exchange: ExchangeName) => void
  }
>() {}

const make = Effect.fnUntraced(function* (describe: string) {
  const bands = new PriceBands()
  const pending = new Pending()
  const minutes = new Minutes()
  const reports = new Map<ExchangeName, FeedReport>()
  const wanted = yield* SubscriptionRef.make<ReadonlyArray<MarketId>>([])
  /** Open while prices wait. */
  const arrived = yield* Effect.makeLatch()

  const publish = (quotes: ReadonlyArray<Quote>): void => {
    for (const quote of quotes) {
      if (!bands.passes(quote)) continue
      pending.add(quote)
      minutes.add(quote)
    }
    if (pending.size > 0) arrived.unsafeOpen()
  }

  const take = Effect.sync(() => {
    arrived.unsafeClose()
    return pending.take()
  })
  // There is one reader: what opened the latch is still there.
  const next = Effect.zipRight(arrived.await, take)

  /** Nothing is known of an exchange at first but that its prices are needed. */
  const watch = Effect.fn("LiveFeed.watch")(function* (markets: ReadonlyArray<MarketId>) {
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
      Math.abs(now - (bands.lastAt(market) ?? Number.NEGATIVE_INFINITY)) > FRESH_MS
    return EXCHANGE_NAMES.flatMap((exchange): ReadonlyArray<FeedHealth> => {
      const report = reports.get(exchange)
      if (report === undefined) return []
      const markets = watched.filter((market) => market.exchange === exchange)
      const stale = markets.filter(isStale).length
      return [{ ...report, markets: markets.length, stale, quotes: bands.countsOf(exchange) }]
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

/** Prices that an adapter publishes and the engine takes; `describe` names their source in words. */
export const layerOf = (describe: string): Layer.Layer<StreamingFeed | Tickers> =>
  Layer.effectContext(make(describe))

/** Prices of exchanges, called `live`. */
export const layer = layerOf("live")
