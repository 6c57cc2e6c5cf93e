// Walking forward: how the time is cut, and the joined record against one that is reckoned candle by candle.
import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { MarketId } from "../../src/domain/Market.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import * as EquityFold from "../../src/trading/equity/EquityFold.ts"
import type { Luck } from "../../src/trading/luck/Luck.ts"
import { partsOf, type Recording, within } from "../../src/trading/sweep/SweepSplit.ts"
import { join } from "../../src/trading/sweep/WalkCurve.ts"
import {
  DAY_MS,
  efficiencyOf,
  judged,
  shareAhead,
  stabilityOf,
  stretchesOf
} from "../../src/trading/sweep/WalkForward.ts"
import { alert, BTC, columns, MINUTE, market, settings } from "./scenario.ts"

const DAY_MINUTES = DAY_MS / MINUTE
const price = (minute: number) => 100 + 8 * Math.sin(minute / 40) + 3 * Math.sin(minute / 7)
const rows = (count: number) =>
  Array.from({ length: count }, (_, minute) => {
    const [open, close] = [price(minute), price(minute + 1)]
    return [open, Math.max(open, close) + 0.2, Math.min(open, close) - 0.2, close] as const
  })
const recording = (count: number): Recording => ({
  series: [{ exchange: "binance", pair: BTC, columns: columns(rows(count)) } as const],
  alerts: Array.from({ length: Math.floor(count / 25) }, (_, each) =>
    alert(each * 25 + 0.5, each % 3 === 2 ? "sell" : "buy")
  )
})
const MOST = 1000
const days = (minutes: number) => minutes / DAY_MINUTES

describe("the stretches", () => {
  const cuts = FastCheck.record({
    count: FastCheck.integer({ min: 2, max: 400 }),
    train: FastCheck.integer({ min: 1, max: 120 }),
    test: FastCheck.integer({ min: 1, max: 60 }),
    isAnchored: FastCheck.boolean()
  })

  test("put every candle after the first train in exactly one test, and only earlier ones in its train", () => {
    FastCheck.assert(
      FastCheck.property(cuts, ({ count, isAnchored, test: testMinutes, train }) => {
        const { alerts, series } = recording(count)
        const walk = { trainDays: days(train), testDays: days(testMinutes), isAnchored }
        const stretches = stretchesOf(series, walk, MOST) ?? []
        expect(stretches.length).toBe(Math.ceil(Math.max(0, count - train) / testMinutes))
        const tested = stretches.flatMap((stretch) => {
          const { test: later, train: earlier } = partsOf({ series, alerts }, stretch)
          const at = earlier.series[0]?.columns.at ?? new Float64Array(0)
          expect(at.length).toBe(isAnchored ? stretch.testFrom / MINUTE : train)
          expect(at.at(-1)).toBeLessThan(stretch.testFrom)
          expect(earlier.alerts.every((one) => one.at < stretch.testFrom && one.at >= stretch.from)).toBe(
            true
          )
          expect(later?.alerts.every((one) => one.at >= stretch.testFrom && one.at < stretch.to)).toBe(true)
          return Array.from(later?.series[0]?.columns.at ?? [])
        })
        expect(tested).toEqual(
          Array.from({ length: Math.max(0, count - train) }, (_, at) => (train + at) * MINUTE)
        )
      }),
      { numRuns: 60 }
    )
  })

  test("leave out what has no candles, and are none where they are too many", () => {
    const { series } = recording(300)
    const [only] = series
    if (only === undefined) throw new Error("there is no series")
    const at = Float64Array.from(only.columns.at, (time, place) => (place < 100 ? time : time + 100 * MINUTE))
    const holed = [{ ...only, columns: { ...only.columns, at } }]
    const walk = { trainDays: days(50), testDays: days(50), isAnchored: false }
    expect(stretchesOf(holed, walk, MOST)?.map(({ testFrom }) => testFrom / MINUTE)).toEqual([
      50, 250, 300, 350
    ])
    expect(stretchesOf(series, walk, 5)).toHaveLength(5)
    expect(stretchesOf(series, walk, 4)).toBeUndefined()
    expect(stretchesOf(series, { ...walk, testDays: 1e-9 }, MOST)).toBeUndefined()
    expect(stretchesOf([], walk, MOST)).toEqual([])
    expect(stretchesOf(recording(1).series, walk, MOST)).toEqual([])
  })
})

describe("the joined record", () => {
  const fees = {
    makerFeePercent: Decimal.unsafeFromText("0.1"),
    takerFeePercent: Decimal.unsafeFromText("0.1")
  }
  const markets = {
    balance: Decimal.unsafeFromText("10000"),
    market: (id: MarketId) => market(id),
    fees: () => fees
  }
  const choices = [2, 6, 1, 40].map((minProfitPercent) =>
    settings({ minProfitPercent, stopLoss: { percent: 5 }, makerFeePercent: 0.1, takerFeePercent: 0.1 })
  )
  const whole = recording(320)
  const legs = choices.map((chosen, at) => ({
    settings: chosen,
    recording: within(whole, (at + 1) * 64 * MINUTE, (at + 2) * 64 * MINUTE)
  }))

  /** Cash and positions at the last close of the first `length` candles of a leg: a run of its own for every candle. */
  const marked = (leg: (typeof legs)[number], balance: number, length: number) => {
    const series = leg.recording.series.map((one) => ({
      ...one,
      columns: { ...one.columns, at: one.columns.at.slice(0, length), length }
    }))
    const last = series[0]?.columns.at[length - 1] ?? 0
    const result = Backtest.run({
      settings: leg.settings,
      ...markets,
      balance: Decimal.unsafeFromText(String(balance)),
      series,
      alerts: leg.recording.alerts.filter(({ at }) => at <= last)
    })
    const held = result.open.reduce(
      (sum, { position }) => sum + (position === undefined ? 0 : Decimal.toNumber(position.quantity)),
      0
    )
    const close = series[0]?.columns.close[length - 1] ?? 0
    return { equity: Decimal.toNumber(result.state.cash) + held * close, fee: held * close * 0.001, result }
  }

  test("equals runs of every test up to every candle, each with what the one before it left", () => {
    const joined = join(markets, legs, MOST)
    const expected: Array<number> = [10_000]
    const trades: Array<number> = []
    let balance = 10_000
    let sold = 0
    for (const leg of legs) {
      const length = leg.recording.series[0]?.columns.length ?? 0
      for (let upTo = 1; upTo <= length; upTo++) expected.push(marked(leg, balance, upTo).equity)
      const { equity, fee, result } = marked(leg, balance, length)
      for (const { pnl } of result.trades) trades.push(Decimal.toNumber(pnl))
      if (result.open.length > 0) {
        sold++
        expected.push(equity - fee)
        trades.push(
          equity - fee - balance - result.trades.reduce((sum, { pnl }) => sum + Decimal.toNumber(pnl), 0)
        )
      }
      balance = Number((equity - fee).toFixed(8))
    }
    expect(sold).toBeGreaterThan(0)
    expect(sold).toBeLessThan(legs.length)
    expect(joined.points).toHaveLength(expected.length)
    for (const [at, equity] of expected.entries()) expect(joined.points[at]?.[1]).toBeCloseTo(equity, 6)
    expect(joined.results).toHaveLength(trades.length)
    for (const [at, result] of trades.entries()) expect(joined.results[at]).toBeCloseTo(result, 6)
    const peaks = expected.map((_, at) => Math.max(...expected.slice(0, at + 1)))
    const deepest = Math.min(...expected.map((equity, at) => equity / (peaks[at] ?? 1) - 1))
    expect(joined.state.drawdown).toBeCloseTo(deepest, 9)
    expect(EquityFold.totalReturn(joined.state)).toBeCloseTo(balance / 10_000 - 1, 9)
    expect(joined.returns.length).toBe(1)
    expect(joined.returns[0]).toBeCloseTo(balance / 10_000 - 1, 9)
    expect(joined.legs.map(({ ending }) => ending).slice(0, -1)).toEqual(
      joined.legs.map(({ starting }) => starting).slice(1)
    )
  })

  test("stands still where nothing was chosen, and keeps the last point of a thinned curve", () => {
    const [first, second, third] = legs
    if (first === undefined || second === undefined || third === undefined)
      throw new Error("there are no legs")
    const with2 = join(markets, [first, { ...second, settings: undefined }, third], 20)
    const [one, none, last] = with2.legs
    expect(none).toEqual({ starting: one?.ending ?? 0, ending: one?.ending ?? 0, trades: 0, overran: false })
    expect(last?.starting).toBe(one?.ending ?? 0)
    expect(with2.points.length).toBeLessThan(22)
    expect(with2.points.at(-1)?.[1]).toBeCloseTo(last?.ending ?? 0, 7)
  })

  test("ends where all is lost, and of no tests it is the balance", () => {
    const broke = join({ ...markets, balance: Decimal.zero }, legs, MOST)
    expect(broke.legs.every(({ ending, trades }) => ending === 0 && trades === 0)).toBe(true)
    const none = join(markets, [], MOST)
    expect([none.state.equity, none.returns.length, none.results.length]).toEqual([10_000, 0, 0])
  })

  test("has a return for each UTC day, whose product is that of the whole", () => {
    const hourly: Recording = {
      ...whole,
      series: whole.series.map((one) => ({
        ...one,
        columns: { ...one.columns, at: one.columns.at.map((at) => at * 60) }
      })),
      alerts: whole.alerts.map((one) => ({ ...one, at: one.at * 60 }))
    }
    const three = choices.map((chosen, at) => ({
      settings: chosen,
      recording: within(hourly, (at * 60 + 30) * 60 * MINUTE, (at * 60 + 90) * 60 * MINUTE)
    }))
    const joined = join(markets, three, MOST)
    expect(joined.returns.length).toBe(Math.floor((4 * 60 + 29) / 24) - Math.floor(30 / 24) + 1)
    const product = joined.returns.reduce((all, value) => all * (1 + value), 1)
    expect(product).toBeCloseTo(joined.state.equity / 10_000, 9)
  })
})

test("stability is the share of the most frequent value, the first of several, and counts the changes", () => {
  const grid = [
    { field: "a", values: [1, 2] },
    { field: "b", values: [null, true, false] }
  ]
  expect(stabilityOf(grid, [0, 3, 4, 4])).toEqual([
    { field: "a", value: "2", share: 0.75, values: 2, changes: 1 },
    { field: "b", value: "", share: 0.5, values: 2, changes: 1 }
  ])
  expect(stabilityOf(grid, []).map(({ share }) => share)).toEqual([0, 0])
})

test("the efficiency is test over train by the day, and none where train did not gain", () => {
  const half = { train: 0.3, trainDays: 30, test: 0.05, testDays: 10 }
  expect(efficiencyOf([half, half]).efficiency).toBeCloseTo(0.5, 12)
  expect(efficiencyOf([half, { ...half, test: -0.15 }]).efficiency).toBeCloseTo(-0.5, 12)
  expect(efficiencyOf([{ ...half, train: -0.1 }]).efficiency).toBeUndefined()
  expect(efficiencyOf([])).toEqual({ train: 0, test: 0, efficiency: undefined })
})

test("the share ahead is 0 for the first, 1 for the last, and a half among equals", () => {
  const scores = Float64Array.of(3, 1, 2)
  expect([0, 1, 2].map((chosen) => shareAhead(scores, chosen))).toEqual([0, 1, 0.5])
  expect(shareAhead(Float64Array.of(1, 1, 1), 1)).toBe(0.5)
  expect(shareAhead(Float64Array.of(-Infinity, 1), 0)).toBe(1)
  expect(shareAhead(Float64Array.of(1), 0)).toBeUndefined()
})

test("a joined record that holds is doubted where most choices land in the lower half of their tests, or its trades drawn anew may lose", () => {
  const luck: Luck = {
    trials: 1,
    days: 100,
    trades: 60,
    sharpe: 3,
    expected: 0,
    deflated: 0.99,
    leastDays: 20,
    overfitting: undefined,
    resampled: { net: { low: 5, high: 90 }, drawdown: { low: -0.2, high: -0.1 } },
    verdict: "holds"
  }
  expect(judged(luck, [0.2, 0.9, 0.4]).verdict).toBe("holds")
  expect(judged(luck, [0.2, 0.9, 0.7])).toMatchObject({
    verdict: "mayBeLuck",
    overfitting: { halvings: 3, probability: 2 / 3 }
  })
  expect(judged({ ...luck, verdict: "mayBeLuck" }, [0.1]).verdict).toBe("mayBeLuck")
  expect(judged({ ...luck, verdict: "tooFew" }, [0.9, 0.9]).verdict).toBe("tooFew")
  expect(judged(luck, [])).toEqual(luck)
  const drawn = { net: { low: -1, high: 90 }, drawdown: { low: -0.2, high: -0.1 } }
  expect(judged({ ...luck, resampled: drawn }, [0.2]).verdict).toBe("mayBeLuck")
})
