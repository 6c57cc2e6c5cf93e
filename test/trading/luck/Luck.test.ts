// The verdict on a sweep's first place, daily returns, and drawing trades anew.
import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Decimal from "../../../src/domain/Decimal.ts"
import { BLOCK_WIDTH, blocksFor, sumUp } from "../../../src/trading/luck/Blocks.ts"
import * as Bootstrap from "../../../src/trading/luck/Bootstrap.ts"
import { dailyReturns, daysOf } from "../../../src/trading/luck/DailyReturns.ts"
import * as Luck from "../../../src/trading/luck/Luck.ts"
import * as Sharpe from "../../../src/trading/luck/Sharpe.ts"
import { trial } from "../../../src/trading/Sweep.ts"
import { alert, BTC, columns, market, settings } from "../scenario.ts"

const DAY = 1440
const noise = (trial: number, day: number) => Math.sin(trial * 91.7 + day * day * 12.9) / 50

/** Trials of noise, with `skill` added to the first every day. */
const luckOf = (days: number, skill: number, trades: number, count = 20): Luck.Luck => {
  const all = Array.from({ length: count }, (_, place) =>
    Float64Array.from({ length: days }, (_, day) => noise(place, day) + (place === 0 ? skill : 0))
  )
  const blocks = blocksFor(days)
  const sums = new Float64Array(count * blocks * BLOCK_WIDTH)
  for (const [place, returns] of all.entries()) sumUp(returns, blocks, sums, place * blocks * BLOCK_WIDTH)
  const results = Float64Array.from({ length: trades }, (_, trade) => noise(7, trade))
  return Luck.measure(
    { count, blocks, days, sums },
    { returns: all[0] ?? new Float64Array(0), results, starting: 1000 }
  )
}

test("skill over enough days and trades holds, and noise may be luck", () => {
  expect(luckOf(300, 0.01, 60).verdict).toBe("holds")
  expect(luckOf(300, 0, 60).verdict).toBe("mayBeLuck")
})

test("under 30 trades or 12 days it is too few to tell, whatever the figures are", () => {
  expect(luckOf(300, 0.01, 29).verdict).toBe("tooFew")
  expect(luckOf(11, 0.05, 60).verdict).toBe("tooFew")
  expect(luckOf(0, 0, 0)).toMatchObject({ verdict: "tooFew", deflated: undefined, resampled: undefined })
})

test("a single trial is not asked to be better than others", () => {
  expect(luckOf(300, 0.01, 60, 1)).toMatchObject({ expected: 0, overfitting: undefined, verdict: "holds" })
})

test("a record that loses is never praised", () => {
  FastCheck.assert(
    FastCheck.property(
      FastCheck.integer({ min: 12, max: 400 }),
      FastCheck.double({ min: 0.001, max: 0.05, noNaN: true }),
      (days, loss) => {
        const luck = luckOf(days, -loss - 0.02, 60)
        expect(luck.verdict).toBe("mayBeLuck")
        expect(luck.leastDays).toBeUndefined()
      }
    ),
    { numRuns: 10 }
  )
})

test("the ratio is that of all returns of the first", () => {
  const days = 100
  const returns = Float64Array.from({ length: days }, (_, day) => noise(0, day) + 0.01)
  const ratio = (Sharpe.returnsOf(returns)?.sharpe ?? 0) * Math.sqrt(365)
  expect(luckOf(days, 0.01, 60).sharpe).toBeCloseTo(ratio, 12)
})

test("a day's return is marked at its last candle, and days without candles return 0", () => {
  // One candle at noon and one at night of days 0, 1 and 4, bought at noon of the first for all cash.
  const at = [720, 1439, DAY + 720, DAY + 1439, 4 * DAY + 720, 4 * DAY + 1439].map(
    (minute) => minute * 60_000
  )
  const prices = [100, 110, 90, 121, 121, 60.5] as const
  const candles = columns(prices.map((price) => [price, price, price, price] as const))
  const series = [
    { exchange: "binance", pair: BTC, columns: { ...candles, at: Float64Array.from(at) } } as const
  ]
  const days = daysOf(series)
  expect([days.first, days.count, days.series[0]?.columns.length]).toEqual([0, 5, 3])
  const fees = { makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero }
  const ground = { market: (id: Parameters<typeof market>[0]) => market(id), fees: () => fees }
  const made = trial(
    settings(),
    { ...ground, balance: Decimal.unsafeFromText("1000") },
    { series, alerts: [alert(720, "buy")] }
  )
  const returns = made._tag === "Some" ? dailyReturns(made.value.ended, days) : undefined
  expect(Array.from(returns ?? [], (value) => Number(value.toFixed(9)))).toEqual([0.1, 0.1, 0, 0, -0.5])
})

test("trades drawn anew surround what the trades came to, and drawdowns are never above 0", () => {
  const result = FastCheck.double({ min: -50, max: 50, noNaN: true })
  FastCheck.assert(
    FastCheck.property(FastCheck.array(result, { minLength: 30, maxLength: 60 }), (results) => {
      const drawn = Bootstrap.resample(Float64Array.from(results), 10_000)
      const net = results.reduce((sum, value) => sum + value, 0)
      const { drawdown = { low: 1, high: 1 }, net: interval = { low: 1, high: -1 } } = drawn ?? {}
      expect(interval.low).toBeLessThanOrEqual(net + 1e-9)
      expect(interval.high).toBeGreaterThanOrEqual(net - 1e-9)
      expect(drawdown.low).toBeLessThanOrEqual(drawdown.high)
      expect(drawdown.high).toBeLessThanOrEqual(0)
    }),
    { numRuns: 50 }
  )
  expect(Bootstrap.resample(new Float64Array(0), 1)).toBeUndefined()
})
