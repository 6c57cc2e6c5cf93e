// Closed candles through the thread as it runs in the server: of the trades that an exchange streams, beside the candles that
// it has itself.
import { expect } from "bun:test"
import { Clock, Context, Effect, Layer, Option, TestClock } from "effect"
import { type MarketId, marketKey, Pair } from "../../../src/domain/Market.ts"
import * as Streaming from "../../../src/prices/streaming/Streaming.ts"
import { Tape } from "../../../src/prices/Tape.ts"
import * as StreamingFeed from "../../../src/services/feeds/StreamingFeed.ts"
import { type CandleNews, ClosedCandles } from "../../../src/services/rules/ClosedCandles.ts"
import { Tickers } from "../../../src/services/Tickers.ts"
import { binance } from "../../exchanges/binance.ts"
import { Stub } from "../../exchanges/Stub.ts"
import { it } from "../../lib/effect.ts"
import { until } from "./Rig.ts"

const MINUTE = 60_000
const STEPS = { priceStep: "0.01", amountStep: "0.0001", minAmount: "0.0001", minCost: "5" }
const BTC = { ...STEPS, pair: Pair.make("BTC/USDT"), kind: "spot" } as const
const MARKET: MarketId = { exchange: "binance", kind: "spot", pair: BTC.pair }
const SERIES = { ...MARKET, timeframe: "1m" } as const

/** A server's feed with one market at a stub, just before `begin`. */
const follow = (begin: number) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(begin - 2_500)
    const stub = yield* Effect.acquireRelease(
      Effect.promise(() => Stub.start(binance, [BTC])),
      (stub) => Effect.promise(() => stub.stop())
    )
    const own = new Map<number, ReadonlyArray<string>>()
    const pages: Array<number> = []
    stub.candles = (query) => {
      const [from, to] = [Number(query.get("startTime")), Number(query.get("endTime"))]
      pages.push(from)
      return [...own]
        .filter(([at]) => at >= from && at <= to)
        .map(([at, row]) => [at, ...row, at + MINUTE - 1, "1", 1])
    }
    const taped: Array<string> = []
    const tape = Layer.succeed(Tape, {
      traded: (market, price) => void taped.push(`${marketKey(market)} ${price}`),
      quoted: () => {},
      whole: () => void taped.push("whole"),
      broken: () => void taped.push("broken")
    })
    const live = Streaming.layer({ urls: new Map([["binance", stub.url]]), record: true })
    const context = yield* Layer.build(Layer.provideMerge(live, Layer.merge(StreamingFeed.layer, tape)))
    const source = Option.getOrThrow(Context.get(context, ClosedCandles))
    yield* Context.get(context, Tickers).watch([MARKET])
    yield* source.follow([SERIES])
    const news: Array<CandleNews> = []
    yield* Effect.forkScoped(
      Effect.forever(
        Effect.map(
          source.next,
          (some) => void news.push(...some.filter((one) => one._tag === "Corrected" || one.until > begin))
        )
      )
    )
    const holds = (what: () => boolean, name: string) => Effect.promise(() => until(what, name))
    yield* holds(() => {
      stub.quote(BTC, { bid: 99, ask: 101, last: 100 })
      // A stream of trades is known to be whole with its first one.
      stub.print(BTC, { price: 90, amount: 1, side: "buy", at: begin - 2_600, id: `${pages.length}` })
      return taped.includes("whole")
    }, "a whole stream")
    /** The exchange has a trade, which the server hears. */
    const trade = (price: number, at: number) =>
      Effect.zipRight(
        Effect.sync(() => stub.print(BTC, { price, amount: 0.5, side: "buy", at, id: `${at}` })),
        holds(() => taped.includes(`${marketKey(MARKET)} ${price}`), `a trade at ${price}`)
      )
    /** Time passes up to a close. The thread shows each second that it runs, which is looked at every 15 s. */
    const closes = (close: number) =>
      Effect.gen(function* () {
        for (
          let now = yield* Clock.currentTimeMillis;
          now < close + 1_100;
          now = yield* Clock.currentTimeMillis
        ) {
          yield* Effect.promise(() => Bun.sleep(1_100))
          yield* TestClock.setTime(Math.min(now + 13_000, close + 1_100))
        }
      })
    return { stub, own, pages, source, news, taped, holds, trade, closes }
  })

const BEGIN = Date.UTC(2026, 5, 1)

it.effect("a candle of streamed trades gives way to the exchange's own before it is looked at", () =>
  Effect.gen(function* () {
    const { closes, holds, news, own, trade } = yield* follow(BEGIN)
    yield* TestClock.setTime(BEGIN + 1_000)
    yield* trade(101, BEGIN + 5_000)
    yield* trade(103, BEGIN + 50_000)
    // It has one more trade, whose message was lost.
    own.set(BEGIN, ["101", "105", "101", "103", "1.5"])
    yield* closes(BEGIN + MINUTE)
    yield* holds(() => news.length > 0, "the candle")
    expect(news).toMatchObject([
      {
        ...{ _tag: "Closed", series: SERIES, from: BEGIN, until: BEGIN + MINUTE, isFinal: true },
        bars: [{ at: BEGIN, open: 101, high: 105, low: 101, close: 103, volume: 1.5 }]
      }
    ])
  })
)

it.effect("of a minute in which the stream was cut the candle is the exchange's", () =>
  Effect.gen(function* () {
    const { closes, holds, news, own, stub, taped, trade } = yield* follow(BEGIN)
    yield* TestClock.setTime(BEGIN + 1_000)
    yield* trade(101, BEGIN + 5_000)
    stub.cut()
    yield* holds(() => taped.includes("broken"), "the cut")
    own.set(BEGIN, ["101", "104", "101", "104", "7"])
    yield* closes(BEGIN + MINUTE)
    yield* holds(() => news.length > 0, "the candle")
    expect(news).toMatchObject([{ from: BEGIN, until: BEGIN + MINUTE, bars: [{ close: 104, volume: 7 }] }])
  })
)

it.effect("past candles come through the connection that streams", () =>
  Effect.gen(function* () {
    const { own, pages, source } = yield* follow(BEGIN)
    const begin = BEGIN - 100 * MINUTE
    for (let at = begin; at < BEGIN - 10 * MINUTE; at += MINUTE)
      own.set(at, ["1", "3", "1", "2", `${at % 7}`])
    const found = yield* source.history(SERIES, begin, BEGIN - 10 * MINUTE)
    expect([found.length, found.at[0], found.close[5]]).toEqual([90, begin, 2])
    expect(pages.filter((from) => from === begin).length).toBe(1)
  })
)
