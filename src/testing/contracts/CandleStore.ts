// The contract of `CandleStore`: days are stored whole, replaced, and read back in order; nothing of one series is
// another's.
import * as Effect from "effect/Effect"
import { missingIn } from "../../domain/candles/CandleHoles.ts"
import type { ExactCandle } from "../../domain/candles/CandleRowWriter.ts"
import { type CandleSeries, DAY_MS } from "../../domain/candles/CandleSeries.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { Pair } from "../../domain/Market.ts"
import { CandleStore } from "../../services/feeds/CandleStore.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { marketId } from "../Fixtures.ts"

const MINUTE = 60_000
const MONDAY = Date.UTC(2026, 5, 1)
const TUESDAY = MONDAY + DAY_MS
const series: CandleSeries = { ...marketId(), timeframe: "1m" }

const candle = (at: number, price: number): ExactCandle => ({
  ...{ at, open: price, high: price + 1, low: price - 1, close: price },
  volume: Decimal.fromNumber(2)
})
const minutes = (from: number, count: number, price = 100): ReadonlyArray<ExactCandle> =>
  Array.from({ length: count }, (_, index) => candle(from + index * MINUTE, price + index))

const put = (day: number, candles: ReadonlyArray<ExactCandle>, until = day + DAY_MS, of = series) =>
  Effect.flatMap(CandleStore, (store) => store.put(of, { day, until, candles }))
const closes = (from = 0, until = Number.MAX_SAFE_INTEGER, of = series) =>
  Effect.map(
    Effect.flatMap(CandleStore, (store) => store.read(of, from, until)),
    ({ at, close, length }) =>
      Array.from({ length }, (_, row) => [((at[row] ?? 0) - MONDAY) / MINUTE, close[row] ?? 0] as const)
  )
const days = Effect.flatMap(CandleStore, (store) => store.days(series))

/** An implementer stores a day in one step: a reader sees the day before or after it, never a part. */
export const suite = Contract.suite<CandleStore>("CandleStore", (it) => {
  it("days are read back sorted, whatever the sequence in which they were stored", () =>
    Effect.gen(function* () {
      yield* put(TUESDAY, minutes(TUESDAY, 2, 200))
      yield* put(MONDAY, minutes(MONDAY, 2))
      expect(yield* closes()).toEqual([
        [0, 100],
        [1, 101],
        [1440, 200],
        [1441, 201]
      ])
      expect(yield* closes(MONDAY + MINUTE, TUESDAY + MINUTE)).toEqual([
        [1, 101],
        [1440, 200]
      ])
    }))

  it("a day that is stored again replaces the one before, with how far the exchange was asked", () =>
    Effect.gen(function* () {
      yield* put(MONDAY, minutes(MONDAY, 2), MONDAY + 2 * MINUTE)
      expect(yield* days).toEqual(new Map([[MONDAY, MONDAY + 2 * MINUTE]]))
      yield* put(MONDAY, minutes(MONDAY, 3, 300))
      expect(yield* days).toEqual(new Map([[MONDAY, TUESDAY]]))
      expect(yield* closes()).toEqual([
        [0, 300],
        [1, 301],
        [2, 302]
      ])
    }))

  it("a day without candles is stored too, so that nobody asks for it again", () =>
    Effect.gen(function* () {
      yield* put(MONDAY, [])
      expect(yield* days).toEqual(new Map([[MONDAY, TUESDAY]]))
      expect(yield* closes()).toEqual([])
      expect(yield* Effect.flatMap(CandleStore, (store) => store.holdings)).toEqual([])
    }))

  it("a series has nothing of another pair, kind or timeframe", () =>
    Effect.gen(function* () {
      yield* put(MONDAY, minutes(MONDAY, 2))
      const others: ReadonlyArray<CandleSeries> = [
        { ...series, pair: Pair.make("ETH/USDT") },
        { ...series, kind: "swap" },
        { ...series, timeframe: "1h" }
      ]
      for (const other of others) {
        expect(yield* closes(0, Number.MAX_SAFE_INTEGER, other)).toEqual([])
        expect((yield* Effect.flatMap(CandleStore, (store) => store.days(other))).size).toBe(0)
      }
    }))

  it("a holding tells its first and last candle, their number, and the holes that the exchange confirmed", () =>
    Effect.gen(function* () {
      yield* put(MONDAY, [...minutes(MONDAY, 2), ...minutes(MONDAY + 5 * MINUTE, 1)])
      yield* put(TUESDAY + DAY_MS, minutes(TUESDAY + DAY_MS, 1))
      const [holding, ...others] = yield* Effect.flatMap(CandleStore, (store) => store.holdings)
      expect(others).toEqual([])
      expect(holding).toMatchObject({ ...series, from: MONDAY, to: TUESDAY + DAY_MS, count: 4 })
      expect(holding?.holes).toEqual([
        { from: MONDAY + 2 * MINUTE, until: MONDAY + 5 * MINUTE, known: true },
        { from: MONDAY + 6 * MINUTE, until: TUESDAY, known: true },
        { from: TUESDAY, until: TUESDAY + DAY_MS, known: false }
      ])
      expect(missingIn(holding?.holes ?? [], MINUTE)).toBe(2 * 1440 - 3)
      expect(holding?.bytes).toBeGreaterThan(0)
    }))

  it("removing a series removes all of its days, and nothing else", () =>
    Effect.gen(function* () {
      const store = yield* CandleStore
      const swap: CandleSeries = { ...series, kind: "swap" }
      yield* put(MONDAY, minutes(MONDAY, 2))
      yield* put(TUESDAY, [])
      yield* put(MONDAY, minutes(MONDAY, 1), TUESDAY, swap)
      expect(yield* store.remove(series)).toBe(2)
      expect((yield* days).size).toBe(0)
      expect(yield* closes()).toEqual([])
      expect((yield* closes(0, Number.MAX_SAFE_INTEGER, swap)).length).toBe(1)
      expect(yield* store.remove(series)).toBe(0)
    }))
})
