// Closed candles of exchanges as they come: in time, the exchange's own before a rule looks at one, none lost and none made
// up, whatever streams and exchanges do.
import { describe, expect } from "bun:test"
import { Clock, Effect, Fiber, TestClock } from "effect"
import type { CandleSeries } from "../../../src/domain/candles/CandleSeries.ts"
import { millisOf } from "../../../src/domain/candles/Timeframe.ts"
import { ExchangeName, Pair } from "../../../src/domain/Market.ts"
import * as LiveCandles from "../../../src/prices/closed/LiveCandles.ts"
import { CANDLE_ROW, type PageAnswer, type PageQuestion } from "../../../src/prices/streaming/Wire.ts"
import type { CandleNews } from "../../../src/services/rules/ClosedCandles.ts"
import type { Bar } from "../../../src/trading/indicators/Plan.ts"
import { it } from "../../lib/effect.ts"

const MINUTE = 60_000
const BEGIN = Date.UTC(2024, 1, 29)
const series = (more: Partial<CandleSeries> = {}): CandleSeries => ({
  ...{ exchange: "binance", kind: "spot", pair: Pair.make("BTC/USDT"), timeframe: "1m" },
  ...more
})

/** What the exchange has, and how it answers. */
interface Exchange {
  /** Its candles by opening time, from when it has them on. */
  readonly own: Map<number, Bar & { readonly from?: number }>
  delayMs: number
  failure: PageAnswer["failure"]
  /** The times of the requests. */
  readonly requests: Array<number>
}

const bar = (at: number, close = 100, more: Partial<Bar> = {}): Bar => ({
  ...{ at, open: 100, high: Math.max(100, close), low: Math.min(100, close), close, volume: 2 },
  ...more
})

/** A server that follows series, with a stream and an exchange; `news` collects what it hears. */
const world = (all: ReadonlyArray<CandleSeries>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(BEGIN - 30_000)
    const live = yield* LiveCandles.make
    const exchange: Exchange = { own: new Map(), delayMs: 100, failure: undefined, requests: [] }
    const scope = yield* Effect.scope
    const clock = yield* Effect.clock
    const reply = ({ from, question, until }: PageQuestion): PageAnswer => {
      if (exchange.failure !== undefined) return { _tag: "Page", question, failure: exchange.failure }
      const rows = [...exchange.own.values()]
        .filter(
          ({ at, from: there = 0 }) => at >= from && at < until && there <= clock.unsafeCurrentTimeMillis()
        )
        .sort((one, other) => one.at - other.at)
      const numbers = new Float64Array(rows.length * CANDLE_ROW)
      for (const [index, { at, close, high, low, open, volume }] of rows.entries())
        numbers.set([at, open, high, low, close, volume], index * CANDLE_ROW)
      return { _tag: "Page", question, rows: numbers }
    }
    const runtime = yield* Effect.runtime<never>()
    live.questions.through((question) => {
      exchange.requests.push(clock.unsafeCurrentTimeMillis())
      Effect.runFork(
        Effect.provide(
          Effect.forkIn(
            Effect.zipRight(
              Effect.sleep(exchange.delayMs),
              Effect.sync(() => live.questions.answered(reply(question)))
            ),
            scope
          ),
          runtime
        )
      )
    })
    const news: Array<CandleNews & { readonly heardAt: number }> = []
    yield* Effect.forkScoped(
      Effect.forever(
        Effect.flatMap(live.source.next, (some) =>
          Effect.map(
            Clock.currentTimeMillis,
            (heardAt) =>
              void news.push(
                ...some.flatMap((one) =>
                  // The candle under way when the server began.
                  one._tag === "Closed" && one.until <= BEGIN ? [] : [{ ...one, heardAt }]
                )
              )
          )
        )
      )
    )
    yield* live.source.follow(all)
    live.whole(all)
    return { live, exchange, news }
  })

const pass = (ms: number) => TestClock.adjust(ms)

/** A minute of trades that make a candle. */
const trade = (live: LiveCandles.LiveCandles, at: number, close = 100, market = series()) => {
  live.traded(market, { price: 100, amount: 1, at: at + 1_000 })
  live.traded(market, { price: close, amount: 1, at: at + 50_000 })
}

const closed = (news: ReadonlyArray<CandleNews & { readonly heardAt: number }>) =>
  news.flatMap((one) =>
    one._tag === "Closed" ? [[one.from - BEGIN, one.until - BEGIN, one.bars.map(({ close }) => close)]] : []
  )

describe("a candle that closes", () => {
  it.scoped("is the exchange's own within 5 s of the close, also where the stream's is another one", () =>
    Effect.gen(function* () {
      const { exchange, live, news } = yield* world([series()])
      yield* pass(30_000 + 20_000)
      trade(live, BEGIN, 101)
      exchange.own.set(BEGIN, bar(BEGIN, 102))
      yield* pass(48_000)
      expect(news).toMatchObject([
        { _tag: "Closed", from: BEGIN, until: BEGIN + MINUTE, isFinal: true, bars: [bar(BEGIN, 102)] }
      ])
      expect(news.map(({ heardAt }) => heardAt - BEGIN - MINUTE < 5_000)).toEqual([true])
      expect(live.figures).toEqual({ differed: 1, corrected: 0 })
    })
  )

  it.scoped(
    "is the stream's within 5 s where the exchange is late, and corrected where its own differs",
    () =>
      Effect.gen(function* () {
        const { exchange, live, news } = yield* world([series()])
        exchange.delayMs = 9_000
        yield* pass(30_000 + 20_000)
        trade(live, BEGIN, 101)
        exchange.own.set(BEGIN, bar(BEGIN, 102))
        yield* pass(45_000)
        expect(news).toMatchObject([{ until: BEGIN + MINUTE, isFinal: false, bars: [bar(BEGIN, 101)] }])
        expect(news.map(({ heardAt }) => heardAt - BEGIN - MINUTE < 5_000)).toEqual([true])
        trade(live, BEGIN + MINUTE, 103)
        exchange.own.set(BEGIN + MINUTE, bar(BEGIN + MINUTE, 103))
        yield* pass(60_000)
        // The second one is the same at the exchange: there is nothing to correct.
        expect(news.slice(1)).toMatchObject([
          { _tag: "Corrected", bar: bar(BEGIN, 102) },
          { _tag: "Closed", until: BEGIN + 2 * MINUTE, isFinal: false, bars: [bar(BEGIN + MINUTE, 103)] }
        ])
        expect(live.figures.corrected).toBe(1)
      })
  )

  it.scoped("is the stream's where the exchange refuses, and is not asked for any more", () =>
    Effect.gen(function* () {
      const { exchange, live, news } = yield* world([series()])
      exchange.failure = { reason: "it is down", pauseMs: 0, kind: "passing" }
      yield* pass(30_000 + 20_000)
      trade(live, BEGIN, 101)
      yield* pass(60_000)
      expect(news).toMatchObject([{ until: BEGIN + MINUTE, isFinal: true, bars: [bar(BEGIN, 101)] }])
      expect(exchange.requests.filter((at) => at > BEGIN + MINUTE).length).toBe(1)
    })
  )

  it.scoped("without a trade is none, unless the exchange has one", () =>
    Effect.gen(function* () {
      const { exchange, news } = yield* world([series()])
      exchange.own.set(BEGIN + MINUTE, bar(BEGIN + MINUTE, 100, { volume: 0 }))
      yield* pass(30_000 + 3 * MINUTE)
      expect(closed(news)).toEqual([
        [0, MINUTE, []],
        [MINUTE, 2 * MINUTE, [100]]
      ])
    })
  )

  it.scoped("of which trades are missing is the exchange's, also where that is late with it", () =>
    Effect.gen(function* () {
      const { exchange, live, news } = yield* world([series()])
      yield* pass(30_000 + 20_000)
      trade(live, BEGIN, 101)
      live.broken([series()])
      exchange.own.set(BEGIN, { ...bar(BEGIN, 102), from: BEGIN + MINUTE + 8_000 })
      yield* pass(70_000)
      expect(closed(news).slice(-1)).toEqual([[0, MINUTE, [102]]])
    })
  )

  it.scoped("of which nothing can be had is only said to have closed", () =>
    Effect.gen(function* () {
      const { exchange, live, news } = yield* world([series()])
      live.broken([series()])
      exchange.failure = { reason: "it is down", pauseMs: 0, kind: "passing" }
      yield* pass(30_000 + MINUTE + 30_000)
      expect(closed(news)).toEqual([[MINUTE, MINUTE, []]])
    })
  )
})

describe("a longer candle", () => {
  it.scoped("is built of the minutes of a whole stream, as the exchange's own", () =>
    Effect.gen(function* () {
      const five = series({ timeframe: "5m" })
      const { exchange, live, news } = yield* world([five])
      exchange.delayMs = 20_000
      yield* pass(30_000)
      for (let minute = 0; minute < 5; minute++) {
        yield* pass(55_000)
        trade(live, BEGIN + minute * MINUTE, 101 + minute)
        yield* pass(5_000)
      }
      yield* pass(6_000)
      expect(news).toMatchObject([
        { from: BEGIN, until: BEGIN + 5 * MINUTE, bars: [bar(BEGIN, 105, { volume: 10 })] }
      ])
    })
  )

  it.scoped("is joined from shorter ones where an exchange has none so long", () =>
    Effect.gen(function* () {
      const three = series({ exchange: "kraken", timeframe: "3m" })
      const { exchange, live, news } = yield* world([three])
      live.broken([three])
      yield* pass(30_000)
      for (const minute of [0, 2])
        exchange.own.set(BEGIN + minute * MINUTE, bar(BEGIN + minute * MINUTE, 101 + minute))
      yield* pass(3 * MINUTE + 10_000)
      expect(closed(news)).toEqual([[0, 3 * MINUTE, [103]]])
    })
  )
})

describe("many series", () => {
  it.scoped("are all told within 5 s, and the exchange is asked at half its rate", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 300 }, (_, index) => series({ pair: Pair.make(`C${index}/USDT`) }))
      const { exchange, live, news } = yield* world(all)
      yield* pass(30_000 + 20_000)
      for (const one of all) trade(live, BEGIN, 101, one)
      yield* pass(44_500)
      expect(news.length).toBe(300)
      expect(news.every(({ heardAt }) => heardAt - BEGIN - MINUTE < 5_000)).toBe(true)
      yield* pass(40_000)
      const perSecond = Map.groupBy(exchange.requests, (at) => Math.floor(at / 1_000))
      expect(Math.max(...Array.from(perSecond.values(), (some) => some.length))).toBeLessThanOrEqual(6)
      expect(exchange.requests.length).toBeGreaterThan(100)
    })
  )
})

describe("past candles", () => {
  const history = (
    { live }: Effect.Effect.Success<ReturnType<typeof world>>,
    of: CandleSeries,
    from: number,
    until: number
  ) =>
    Effect.gen(function* () {
      const reading = yield* Effect.fork(Effect.either(live.source.history(of, from, until)))
      yield* pass(120_000)
      return yield* Fiber.join(reading)
    })

  it.scoped("come page by page, sorted, with what the exchange lacks missing", () =>
    Effect.gen(function* () {
      const there = yield* world([])
      const minutes = Array.from({ length: 2_500 }, (_, index) => BEGIN - 3_000 * MINUTE + index * MINUTE)
      const held = minutes.filter((_, index) => index % 50 !== 7)
      for (const at of held) there.exchange.own.set(at, bar(at))
      const found = yield* history(there, series(), minutes[0] ?? 0, (minutes.at(-1) ?? 0) + MINUTE)
      expect(found._tag === "Right" ? [...found.right.at] : found.left).toEqual(held)
    })
  )

  it.scoped("of one that has just closed are waited for", () =>
    Effect.gen(function* () {
      const there = yield* world([])
      yield* TestClock.setTime(BEGIN + 500)
      const at = BEGIN - MINUTE
      there.exchange.own.set(at - MINUTE, bar(at - MINUTE))
      there.exchange.own.set(at, { ...bar(at), from: BEGIN + 10_000 })
      const found = yield* history(there, series(), at - MINUTE, BEGIN)
      expect(found._tag === "Right" ? [...found.right.at] : found.left).toEqual([at - MINUTE, at])
    })
  )

  it.scoped("that an exchange does not serve any more are not asked for", () =>
    Effect.gen(function* () {
      const there = yield* world([])
      const hour = series({ exchange: "kraken", timeframe: "1h" })
      const span = millisOf("1h")
      for (let at = BEGIN - 1_000 * span; at < BEGIN; at += span) there.exchange.own.set(at, bar(at))
      const found = yield* history(there, hour, BEGIN - 1_000 * span, BEGIN - span)
      expect(found._tag === "Right" ? found.right.length : found.left).toBeLessThanOrEqual(720)
      expect(found._tag === "Right" ? found.right.length : 0).toBeGreaterThan(700)
    })
  )

  it.scoped("fail with the exchange's reason after a few tries, and at once where it is a lasting one", () =>
    Effect.gen(function* () {
      const there = yield* world([])
      there.exchange.failure = { reason: "it does not list BTC/USDT (spot)", pauseMs: 0, kind: "lasting" }
      const found = yield* history(there, series(), BEGIN - MINUTE * 9, BEGIN - MINUTE)
      expect(found).toMatchObject({
        left: { reason: "binance: it does not list BTC/USDT (spot)", isLasting: true }
      })
      expect(there.exchange.requests.length).toBe(1)
      there.exchange.failure = { reason: "it is down", pauseMs: 0, kind: "passing" }
      expect(yield* history(there, series(), BEGIN - MINUTE * 9, BEGIN - MINUTE)).toMatchObject({
        left: { isLasting: false }
      })
      expect(there.exchange.requests.length).toBe(6)
    })
  )

  it.scoped("of an unknown exchange are refused", () =>
    Effect.gen(function* () {
      const there = yield* world([])
      const own = ExchangeName.make("my-dex")
      expect(yield* history(there, series({ exchange: own }), BEGIN - MINUTE, BEGIN)).toMatchObject({
        left: { isLasting: true }
      })
    })
  )
})
