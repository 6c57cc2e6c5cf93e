import { expect } from "bun:test"
import { Chunk, Effect, Fiber, Option, Stream, TestClock } from "effect"
import { type ExchangeName, type MarketId, Pair } from "../../src/domain/Market.ts"
import { ofLast } from "../../src/domain/Ticker.ts"
import * as StreamingFeed from "../../src/services/feeds/StreamingFeed.ts"
import { MAX_PENDING_QUOTES } from "../../src/services/feeds/streaming/QuoteQueue.ts"
import { type PriceEvent, Tickers } from "../../src/services/Tickers.ts"
import { layer } from "../lib/effect.ts"

const it = layer(StreamingFeed.layer)

const spot = (pair: string, exchange: ExchangeName = "binance"): MarketId => ({
  exchange,
  pair: Pair.make(pair),
  kind: "spot"
})
const BTC = spot("BTC/USDT")
const ETH = spot("ETH/USDT")
const quote = (market: MarketId, price: number, at = 0) => ({ market, ticker: ofLast(price, at) })
const told = (events: ReadonlyArray<PriceEvent>) =>
  events.map((event) => (event._tag === "Quoted" ? `${event.market.pair} ${event.ticker.last}` : "bar"))

const start = Effect.all([StreamingFeed.StreamingFeed, Tickers])

it.effect("prices come in one batch, oldest first, and only once", () =>
  Effect.gen(function* () {
    const [feed, tickers] = yield* start
    feed.publish([quote(BTC, 100), quote(ETH, 10)])
    feed.publish([quote(BTC, 101)])
    expect(told(yield* tickers.next)).toEqual(["BTC/USDT 100", "ETH/USDT 10", "BTC/USDT 101"])
    const later = yield* Effect.fork(tickers.next)
    yield* Effect.yieldNow()
    expect(Option.isNone(yield* Fiber.poll(later))).toBe(true)
    feed.publish([quote(BTC, 102)])
    expect(told(yield* Fiber.join(later))).toEqual(["BTC/USDT 102"])
    expect(tickers.describe).toBe("live")
  })
)

it.effect("an outlier is held back and wakes no reader, and each market is judged by itself", () =>
  Effect.gen(function* () {
    const [feed, tickers] = yield* start
    const elsewhere = spot("BTC/USDT", "kraken")
    feed.publish([quote(BTC, 100), quote(elsewhere, 150)])
    yield* tickers.next
    const next = yield* Effect.fork(tickers.next)
    feed.publish([quote(BTC, 150, 1)])
    feed.publish([quote(BTC, 0, 2), quote(BTC, Number.NaN, 2)])
    yield* Effect.yieldNow()
    expect(Option.isNone(yield* Fiber.poll(next))).toBe(true)
    feed.publish([quote(elsewhere, 151), quote(BTC, 149, 3)])
    expect(told(yield* Fiber.join(next))).toEqual(["BTC/USDT 151", "BTC/USDT 149"])
    yield* tickers.watch([BTC])
    const [health] = yield* tickers.health
    expect(health?.quotes).toEqual({ accepted: 2, held: 1, dropped: 2 })
  })
)

it.effect("beyond a limit, only the newest untaken quote of each market is kept", () =>
  Effect.gen(function* () {
    const [feed, tickers] = yield* start
    for (let at = 0; at < MAX_PENDING_QUOTES - 2; at++) feed.publish([quote(BTC, 100 + (at % 2), at)])
    feed.publish([quote(ETH, 10), quote(BTC, 99)])
    feed.publish([quote(ETH, 10.1), quote(spot("SOL/USDT"), 1), quote(BTC, 98)])
    expect(told(yield* tickers.next)).toEqual(["ETH/USDT 10.1", "SOL/USDT 1", "BTC/USDT 98"])
    feed.publish([quote(BTC, 97), quote(BTC, 96)])
    expect(told(yield* tickers.next)).toEqual(["BTC/USDT 97", "BTC/USDT 96"])
  })
)

it.effect(
  "an adapter reads the wanted markets now and after each change, and a slow one reads the newest",
  () =>
    Effect.gen(function* () {
      const [feed, tickers] = yield* start
      expect(yield* feed.wanted).toEqual([])
      yield* tickers.watch([BTC])
      const seen: Array<ReadonlyArray<MarketId>> = []
      const reader = yield* Effect.fork(
        Stream.runForEach(feed.changes, (markets) =>
          Effect.zipRight(
            Effect.sync(() => seen.push(markets)),
            Effect.sleep("1 second")
          )
        )
      )
      yield* TestClock.adjust("1 millis")
      expect(seen).toEqual([[BTC]])
      for (const markets of [[ETH], [BTC, ETH], []]) {
        yield* tickers.watch(markets)
        yield* TestClock.adjust("1 millis")
      }
      yield* TestClock.adjust("10 seconds")
      expect(seen.at(-1)).toEqual([])
      expect(seen.length).toBeLessThan(5)
      expect(yield* feed.wanted).toEqual([])
      yield* Fiber.interrupt(reader)
      const taken = yield* Stream.runCollect(Stream.take(feed.changes, 1))
      expect(Chunk.toReadonlyArray(taken)).toEqual([[]])
    })
)

it.effect("health counts watched markets, and those without a price for ten seconds", () =>
  Effect.gen(function* () {
    const [feed, tickers] = yield* start
    expect(yield* tickers.health).toEqual([])
    yield* TestClock.adjust("5 seconds")
    yield* tickers.watch([spot("BTC/USD", "kraken"), BTC, ETH])
    const unknown = { state: "connecting", since: 5_000, reconnects: 0, reason: "" } as const
    const none = { accepted: 0, held: 0, dropped: 0 }
    expect(yield* tickers.health).toEqual([
      { exchange: "binance", ...unknown, markets: 2, stale: 2, quotes: none },
      { exchange: "kraken", ...unknown, markets: 1, stale: 1, quotes: none }
    ])
    feed.report({ exchange: "binance", state: "streaming", since: 6_000, reconnects: 1, reason: "" })
    feed.publish([quote(BTC, 100, 5_000)])
    const staleAt = Effect.map(tickers.health, ([binance]) => binance?.stale)
    expect(yield* staleAt).toBe(1)
    yield* TestClock.adjust("10 seconds")
    feed.publish([quote(BTC, 200, 15_000)])
    expect(yield* staleAt).toBe(1)
    yield* TestClock.adjust("1 millis")
    // What was held back is no price.
    expect(yield* staleAt).toBe(2)
    feed.publish([quote(BTC, 201, 15_001)])
    expect(yield* staleAt).toBe(1)
    feed.forget("kraken")
    yield* tickers.watch([BTC])
    const [binance, ...rest] = yield* tickers.health
    expect(rest).toEqual([])
    expect(binance).toMatchObject({ state: "streaming", since: 6_000, reconnects: 1, markets: 1, stale: 0 })
  })
)
