import { expect } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, TestClock } from "effect"
import { Pair } from "../../src/domain/Market.ts"
import * as Recorded from "../../src/prices/Recorded.ts"
import * as Replayed from "../../src/prices/Replayed.ts"
import * as Member from "../../src/prices/tape/Member.ts"
import * as Place from "../../src/prices/tape/Place.ts"
import { Candles } from "../../src/services/feeds/Candles.ts"
import { MinuteCandles } from "../../src/services/feeds/streaming/MinuteCandles.ts"
import { it } from "../lib/effect.ts"
import { folder } from "../services/ports.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const market = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" } as const
const other = { ...market, kind: "swap" } as const

/** Minutes from one time to another, whose price is the number of the minute. */
const write = (data: string, month: string, from: number, until: number) => {
  const path = join(Place.folderOf(Place.candlesIn(data), market), `${month}.csv.gz`)
  mkdirSync(dirname(path), { recursive: true })
  const lines = []
  for (let at = from; at < until; at += MINUTE) {
    const price = at / MINUTE - JULY / MINUTE + 1000
    lines.push(`${at},${price},${price + 0.5},${price - 0.5},${price},1\n`)
  }
  writeFileSync(path, Member.encode(lines.join("")))
}
const JULY = Date.UTC(2026, 6, 1)
const AUGUST = Date.UTC(2026, 7, 1)

const range = (from: number, until: number, points: number, of: typeof market | typeof other = market) =>
  Effect.flatMap(Candles, (candles) => candles.range(of, { from, until, points }))

const at = (now: number) => TestClock.setTime(now)

it.scoped("minutes of two months form one chart, and a long time is shown in hours", () =>
  Effect.gen(function* () {
    const data = yield* folder
    write(data, "2026-07", JULY, AUGUST)
    write(data, "2026-08", AUGUST, AUGUST + 10 * HOUR)
    yield* at(AUGUST + 11 * HOUR)
    yield* Effect.gen(function* () {
      const close = yield* range(AUGUST - 5 * MINUTE, AUGUST + 5 * MINUTE, 100)
      expect([close.source, close.spanMs, close.columns.length]).toEqual(["recorded", MINUTE, 10])
      expect(close.columns.at[0]).toBe(AUGUST - 5 * MINUTE)
      const wide = yield* range(0, Number.MAX_SAFE_INTEGER, 1000)
      expect([wide.source, wide.spanMs, wide.columns.length]).toEqual(["recorded", HOUR, 31 * 24 + 10])
      expect([
        wide.columns.open[0],
        wide.columns.high[0],
        wide.columns.low[0],
        wide.columns.close[0]
      ]).toEqual([1000, 1059.5, 999.5, 1059])
      const wider = yield* range(0, Number.MAX_SAFE_INTEGER, 20)
      expect(wider.spanMs).toBeGreaterThan(HOUR)
      expect(wider.columns.length).toBeLessThanOrEqual(20)
      expect(Math.max(...wider.columns.high)).toBe(Math.max(...wide.columns.high))
      expect((yield* range(0, JULY, 100)).source).toBe("none")
      expect((yield* range(0, AUGUST, 100, other)).source).toBe("none")
    }).pipe(Effect.provide(Recorded.layer({ folder: data })))
  })
)

it.scoped("a month that has just begun is shown in minutes, whatever range is requested", () =>
  Effect.gen(function* () {
    const data = yield* folder
    write(data, "2026-08", AUGUST, AUGUST + 10 * HOUR)
    yield* at(AUGUST + 25 * 24 * HOUR)
    const chart = yield* Effect.provide(range(0, AUGUST * 2, 600), Recorded.layer({ folder: data }))
    expect([chart.spanMs, chart.columns.length]).toEqual([MINUTE, 600])
  })
)

it.scoped(
  "minutes not written yet come from what the server has seen, and a growing file is read again",
  () =>
    Effect.gen(function* () {
      const data = yield* folder
      const minutes = new MinuteCandles()
      for (let minute = 0; minute < 20; minute++)
        minutes.add({ market, ticker: { bid: 7, ask: 9, last: 1, at: AUGUST + minute * MINUTE } })
      yield* at(AUGUST + 15 * MINUTE)
      yield* Effect.gen(function* () {
        const opens = Effect.map(
          range(AUGUST, AUGUST + HOUR, 100),
          ({ columns, source }): ReadonlyArray<string> => [
            source,
            ...Array.from(columns.open, (open) => (open === 8 ? "seen" : "written"))
          ]
        )
        const times = (some: string, count: number) => Array.from({ length: count }, () => some)
        // What is yet to come is not shown: at minute 15 there are 16 of them.
        expect(yield* opens).toEqual(["live", ...times("seen", 16)])
        write(data, "2026-08", AUGUST, AUGUST + 5 * MINUTE)
        expect(yield* opens).toEqual(["recorded", ...times("written", 5), ...times("seen", 11)])
        write(data, "2026-08", AUGUST, AUGUST + 6 * MINUTE)
        expect(yield* opens).toEqual(["recorded", ...times("written", 6), ...times("seen", 10)])
      }).pipe(
        Effect.provide(
          Recorded.layer({ folder: data, seen: (of, from, until) => minutes.between(of, from, until) })
        )
      )
    })
)

it.scoped("a damaged file counts as a month without candles", () =>
  Effect.gen(function* () {
    const data = yield* folder
    write(data, "2026-07", JULY, JULY + HOUR)
    const spoiled = join(Place.folderOf(Place.candlesIn(data), market), "2026-08.csv.gz")
    writeFileSync(spoiled, "no candles at all")
    yield* at(AUGUST + HOUR)
    const chart = yield* Effect.provide(range(0, AUGUST * 2, 100), Recorded.layer({ folder: data }))
    expect([chart.source, chart.columns.length]).toEqual(["recorded", 60])
  })
)

it.effect("a replay shows no future candles, and serves both kinds of a pair", () => {
  const column = Float64Array.from({ length: 100 }, (_, minute) => minute + 1)
  const times = Float64Array.from(column, (minute) => (minute - 1) * MINUTE)
  const columns = { at: times, open: column, high: column, low: column, close: column, length: 100 }
  return Effect.gen(function* () {
    yield* at(41 * MINUTE)
    const chart = yield* range(10 * MINUTE, Number.MAX_SAFE_INTEGER, 100, other)
    expect([chart.source, chart.spanMs, chart.columns.at[0], chart.columns.at.at(-1)]).toEqual([
      "replay",
      MINUTE,
      10 * MINUTE,
      41 * MINUTE
    ])
    const joined = yield* range(0, Number.MAX_SAFE_INTEGER, 10)
    expect([joined.spanMs, joined.columns.length]).toEqual([5 * MINUTE, 9])
    const elsewhere = yield* Effect.flatMap(Candles, (candles) =>
      candles.range({ ...market, exchange: "okx" }, { from: 0, until: 1e15, points: 10 })
    )
    expect(elsewhere.source).toBe("none")
  }).pipe(Effect.provide(Replayed.layer([{ exchange: "binance", pair: market.pair, columns }])))
})
