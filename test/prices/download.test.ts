import { describe, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Chunk, Deferred, Effect, Fiber, TestClock, TestContext } from "effect"
import * as FC from "effect/FastCheck"
import * as Pauses from "../../src/ccxt/Pauses.ts"
import { type CandleSeries, DAY_MS } from "../../src/domain/candles/CandleSeries.ts"
import { millisOf } from "../../src/domain/candles/Timeframe.ts"
import { Pair } from "../../src/domain/Market.ts"
import * as ExchangePages from "../../src/prices/history/ExchangePages.ts"
import * as StoredCandles from "../../src/prices/StoredCandles.ts"
import { download } from "../../src/services/feeds/CandleDownload.ts"
import { CandleStore } from "../../src/services/feeds/CandleStore.ts"
import { joined } from "../../src/trading/candles/Bars.ts"
import { it } from "../lib/effect.ts"
import { meanExchange, rowAt, type World } from "./meanExchange.ts"

const MINUTE = 60_000
const JUNE = Date.UTC(2026, 5, 1)
/** 18:30:25 of the fourth day. */
const NOW = JUNE + 3 * DAY_MS + 18 * 3_600_000 + 30 * MINUTE + 25_000
const series: CandleSeries = {
  exchange: "binance",
  pair: Pair.make("BTC/USDT"),
  kind: "spot",
  timeframe: "5m"
}
const span = millisOf(series.timeframe)

const world = (more: Partial<World> = {}): World => ({
  span,
  listed: 0,
  has: () => true,
  now: () => NOW,
  seed: 1,
  ...more
})

const pagesOf = (exchange: ReturnType<typeof meanExchange>) =>
  ExchangePages.layer({ pauses: Pauses.make(), open: () => Promise.resolve(exchange.ccxt) })

/** Goes on to the end of the shortest pause. Where nothing pauses, as while files are written, no time passes. */
const goOn = Effect.flatMap(TestClock.sleeps(), (ends) =>
  Effect.unless(
    Effect.suspend(() => TestClock.setTime(Math.min(...ends))),
    () => Chunk.isEmpty(ends)
  )
)

/** Runs with time going on whenever all wait. */
const running = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(self)
    const turning = yield* Effect.fork(
      Effect.forever(
        Effect.zipRight(
          Effect.promise(() => new Promise(setImmediate)),
          goOn
        )
      )
    )
    return yield* Effect.ensuring(Fiber.join(fiber), Fiber.interrupt(turning))
  })

const downloaded = (
  exchange: ReturnType<typeof meanExchange>,
  { from = JUNE, until = JUNE + 4 * DAY_MS, of = series } = {}
) => running(download({ series: of, from, until }, () => {})).pipe(Effect.provide(pagesOf(exchange)))

const times = Effect.map(
  Effect.flatMap(CandleStore, (store) => store.read(series, 0, Number.MAX_SAFE_INTEGER)),
  ({ at, length }) => Array.from(at.subarray(0, length))
)

/** The candles that the world has from a time to the last that was surely over. */
const truth = ({ has, listed }: World, from = JUNE, now = NOW): ReadonlyArray<number> => {
  const all = []
  for (let at = from; at + span <= now - 10_000; at += span) if (at + span > listed && has(at)) all.push(at)
  return all
}

describe("a download", () => {
  it.scoped("stores each day, without the running candle, and fetches nothing twice", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const exchange = meanExchange(world({ kind: true }))
      const first = yield* downloaded(exchange)
      expect(first).toMatchObject({ fetched: 4, kept: 0, listed: undefined, holes: [] })
      expect(yield* times).toEqual([...truth(world())])
      const { requests } = exchange.seen
      const again = yield* downloaded(exchange, { until: JUNE + 3 * DAY_MS })
      expect(again).toMatchObject({ fetched: 0, kept: 3 })
      expect(exchange.seen.requests).toBe(requests)
    }).pipe(Effect.provide(CandleStore.layerMemory))
  )

  it.scoped("keeps holes apart from what was not asked, and does not ask for them again", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const gap = [JUNE + DAY_MS - 10 * span, JUNE + DAY_MS + 4 * span] as const
      const exchange = meanExchange(world({ kind: true, has: (at) => at < gap[0] || at >= gap[1] }))
      const { holes } = yield* downloaded(exchange)
      expect(holes).toEqual([{ from: gap[0], until: gap[1], known: true }])
      const { requests } = exchange.seen
      yield* downloaded(exchange, { until: JUNE + 2 * DAY_MS })
      expect(exchange.seen.requests).toBe(requests)
    }).pipe(Effect.provide(CandleStore.layerMemory))
  )

  it.scoped("of a market that was listed later says from when there are candles, with few requests", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const listed = JUNE + 2 * DAY_MS + 7 * 3_600_000
      const exchange = meanExchange(world({ kind: true, listed }))
      const from = JUNE - 1000 * DAY_MS
      const result = yield* downloaded(exchange, { from })
      expect(yield* times).toEqual([...truth(world({ listed }))])
      expect(result).toMatchObject({ listed: JUNE + DAY_MS, fetched: 3 })
      expect(exchange.seen.requests).toBeLessThan(20)
    }).pipe(Effect.provide(CandleStore.layerMemory))
  )

  it.scoped("longer candles of the exchange are those that its minutes make", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const store = yield* CandleStore
      const exchange = meanExchange(world({ kind: true }))
      yield* downloaded(exchange, { until: JUNE + DAY_MS })
      const hour = { ...series, timeframe: "1h" } as const
      const minutes = yield* store.read(series, JUNE, JUNE + DAY_MS)
      const hours = joined(minutes, 3_600_000)
      // This exchange makes its hours as exchanges do: of what was traded in them.
      const own = (at: number) => {
        const rows = Array.from({ length: 12 }, (_, index) => rowAt(at + index * span, span))
        const [first, last] = [rows[0], rows.at(-1)]
        const high = Math.max(...rows.map((row) => Number(row[2])))
        const low = Math.min(...rows.map((row) => Number(row[3])))
        return [at, first?.[1] ?? "", `${high}`, `${low}`, last?.[4] ?? "", "1"]
      }
      const ccxt = {
        ...exchange.ccxt,
        fetchOHLCV: (_: string, __: string, since = 0, limit = 1) =>
          Promise.resolve(Array.from({ length: limit }, (_, index) => own(since + index * 3_600_000)))
      }
      yield* downloaded({ ...exchange, ccxt }, { until: JUNE + DAY_MS, of: hour })
      const theirs = yield* store.read(hour, JUNE, JUNE + DAY_MS)
      expect(theirs.length).toBe(24)
      for (const name of ["at", "open", "high", "low", "close"] as const)
        expect(Array.from(theirs[name].subarray(0, 24))).toEqual(Array.from(hours[name].subarray(0, 24)))
    }).pipe(Effect.provide(CandleStore.layerMemory))
  )

  it.scoped("of candles that an exchange no longer serves is refused, with what it has", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const kraken: CandleSeries = { ...series, exchange: "kraken", timeframe: "1m" }
      const exchange = meanExchange(world({ kind: true }))
      const { message } = yield* Effect.flip(downloaded(exchange, { of: kraken }))
      expect(message).toContain("kraken serves only the newest 720 candles of a timeframe")
      expect(message).toContain("1h from 2026-05-06 on")
      expect(exchange.seen.requests).toBe(0)
      const odd = yield* Effect.flip(downloaded(exchange, { of: { ...kraken, timeframe: "3m" } }))
      expect(odd.message).toBe("kraken has no candles of 3m; it has 1m, 5m, 15m, 30m, 1h, 4h, 1d")
      const unknown: CandleSeries = { ...series, pair: Pair.make("NIX/USDT") }
      expect((yield* Effect.flip(downloaded(exchange, { of: unknown }))).message).toContain(
        "stopped: binance does not list NIX/USDT (spot)"
      )
      const tomorrow = yield* Effect.flip(
        downloaded(exchange, { from: JUNE + 4 * DAY_MS, until: JUNE + 5 * DAY_MS })
      )
      expect(tomorrow.message).toContain("there are no finished 5m candles")
    }).pipe(Effect.provide(CandleStore.layerMemory))
  )

  it.scoped("gives up after several failures in a row, and keeps the days that came", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const exchange = meanExchange(world({ kind: true }))
      let calls = 0
      const ccxt = {
        ...exchange.ccxt,
        fetchOHLCV: (...query: Parameters<typeof exchange.ccxt.fetchOHLCV>) =>
          ++calls > 2
            ? Promise.reject(Object.assign(new Error("<html>"), { name: "NetworkError" }))
            : exchange.ccxt.fetchOHLCV(...query)
      }
      const { message } = yield* Effect.flip(downloaded({ ...exchange, ccxt }))
      expect(message).toBe(
        "the download of 5m candles of BTC/USDT (spot) at binance stopped: it cannot be reached; what came is stored, and the same download goes on from there"
      )
      expect(calls).toBe(2 + 7)
      expect((yield* Effect.flatMap(CandleStore, (store) => store.days(series))).size).toBe(3)
    }).pipe(Effect.provide(CandleStore.layerMemory))
  )
})

/** All files of a folder with their bytes. */
const bytesIn = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name)
        return [file.slice(path.length), readFileSync(file).toString("base64")]
      })
  )

/** One download that is cut off after some requests, as often as given, and then ends. */
const cutAt = (exchange: ReturnType<typeof meanExchange>, cuts: ReadonlyArray<number>) =>
  Effect.forEach(cuts, (cut) =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<void>()
      let left = cut
      const ccxt = {
        ...exchange.ccxt,
        fetchOHLCV: (...query: Parameters<typeof exchange.ccxt.fetchOHLCV>) => {
          if (left-- > 0) return exchange.ccxt.fetchOHLCV(...query)
          Deferred.unsafeDone(reached, Effect.void)
          return new Promise(() => {})
        }
      }
      yield* Effect.raceFirst(Effect.ignore(downloaded({ ...exchange, ccxt })), Deferred.await(reached))
    })
  )

test("whatever an exchange does with its pages, and wherever a download is cut off, all candles are stored once", async () => {
  const property = FC.asyncProperty(
    FC.integer({ min: 0, max: 2 ** 31 }),
    FC.array(FC.integer({ min: 0, max: 15 }), { maxLength: 3 }),
    FC.integer({ min: 0, max: 3 * 288 }),
    FC.array(FC.tuple(FC.integer({ min: 0, max: 1100 }), FC.integer({ min: 1, max: 400 })), { maxLength: 4 }),
    async (seed, cuts, listing, gaps) => {
      const isGap = (at: number) => {
        const index = (at - JUNE) / span
        return gaps.some(([start, length]) => index >= start && index < start + length)
      }
      const mean = world({ seed, listed: JUNE + listing * span, has: (at) => !isGap(at) })
      const paths = [mkdtempSync(join(tmpdir(), "candles-")), mkdtempSync(join(tmpdir(), "candles-"))]
      const [path = "", whole = ""] = paths
      try {
        const run = (at: string, exchange: ReturnType<typeof meanExchange>, cuts: ReadonlyArray<number>) =>
          Effect.gen(function* () {
            yield* TestClock.setTime(NOW)
            yield* cutAt(exchange, cuts)
            yield* TestClock.setTime(NOW)
            yield* downloaded(exchange)
            return yield* times
          }).pipe(Effect.provide(StoredCandles.layer({ folder: at })))
        const found = await virtually(run(path, meanExchange(mean), cuts))
        await virtually(run(whole, meanExchange({ ...mean, kind: true }), []))
        expect(found).toEqual([...truth(mean)])
        if (existsSync(join(whole, "candles"))) expect(bytesIn(path)).toEqual(bytesIn(whole))
      } finally {
        for (const one of paths) rmSync(one, { recursive: true })
      }
    }
  )
  await FC.assert(property, { numRuns: 6 })
})

const virtually = <A, E>(self: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.provide(self, TestContext.TestContext))
