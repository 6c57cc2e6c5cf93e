// Back-tests marked to the market: a run that was cut off at any candle ends with the equity that the pass over the
// whole run found there.
import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { between } from "../../../src/domain/candles/CandleRange.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { EquityPoint } from "../../../src/domain/equity/EquityFigures.ts"
import * as Backtest from "../../../src/trading/Backtest.ts"
import { LEAST_POINTS, thinned } from "../../../src/trading/backtest/Thinning.ts"
import * as Positions from "../../../src/trading/books/Positions.ts"
import * as CurveThinner from "../../../src/trading/equity/CurveThinner.ts"
import * as Figures from "../../../src/trading/equity/Figures.ts"
import type { Filled } from "../../../src/trading/equity/Holdings.ts"
import * as MarkedRun from "../../../src/trading/equity/MarkedRun.ts"
import { alert, BTC, columns, ETH, MINUTE, market, settings } from "../scenario.ts"
import { world } from "../world.ts"

const ALL = 1_000_000

const run = (backtest: Backtest.Backtest) => {
  const fills: Array<Filled> = []
  const result = Backtest.run({ ...backtest, filled: (order, fill) => void fills.push({ order, fill }) })
  return { result, ended: { settings: backtest.settings, series: backtest.series, result, fills } }
}

/** Equity at the last closes, from the state that a run ended with. */
const equityOf = (backtest: Backtest.Backtest): number => {
  const { result } = run(backtest)
  let total = result.state.cash
  for (const slot of result.open) {
    const one = backtest.series.find(({ pair }) => pair === slot.pair)
    const close = one?.columns.close[one.columns.length - 1] ?? 0
    if (slot.position !== undefined) total = Decimal.add(total, Positions.worth(slot.position, close))
  }
  return Decimal.toNumber(total)
}

/** The back-test over the candles up to a time. */
const until = (backtest: Backtest.Backtest, at: number): Backtest.Backtest => ({
  ...backtest,
  series: backtest.series
    .map((one) => ({ ...one, columns: between(one.columns, 0, at + 1) }))
    .filter(({ columns }) => columns.length > 0),
  alerts: backtest.alerts.filter((each) => each.at <= at)
})

describe("a run that was cut off at a candle ends with the equity of its sample", () => {
  const seeds: ReadonlyArray<readonly [string, number, 1 | 2]> = [
    ["one pair", 1, 1],
    ["two pairs", 2, 2],
    ["parts, steps and turns", 1_000_001, 1],
    ["parts, steps and turns of two pairs", 1_000_500, 2]
  ]
  test.each(seeds)("%s", (_, from, pairs) => {
    for (let seed = from; seed < from + 25; seed++) {
      const { backtest } = world(seed, pairs)
      const { ended, result } = run(backtest)
      if (result.overrunAt !== undefined) continue
      const { measured, points } = MarkedRun.measure(ended, ALL)
      const times = new Set(
        backtest.series.flatMap(({ columns: { at, length } }) => [...at.slice(0, length)])
      )
      expect(points.slice(1).map(([at]) => at)).toEqual([...times].sort((one, other) => one - other))
      expect(measured.state.samples).toBe(times.size)
      for (let place = 1; place < points.length; place += 37) {
        const [at, equity] = points[place] ?? [0, 0]
        const cut = equityOf(until(backtest, at))
        if (Math.abs(cut - equity) > 1e-7) expect({ seed, at, equity }).toEqual({ seed, at, equity: cut })
      }
    }
  })
})

test("a thinned curve is the full one, thinned", () => {
  const curves = FastCheck.array(FastCheck.integer({ min: 9000, max: 11_000 }), {
    minLength: 1,
    maxLength: 3000,
    size: "max"
  })
  const most = FastCheck.integer({ min: LEAST_POINTS, max: 400 })
  FastCheck.assert(
    FastCheck.property(curves, most, (made, most) => {
      const whole = made.map((equity, at): EquityPoint => [at, equity, -(equity % 97), null])
      const thinner = CurveThinner.make(whole.length, most)
      for (const point of whole) CurveThinner.take(thinner, point)
      const kept = thinned(
        {
          at: Float64Array.from(whole, ([at]) => at),
          equity: Float64Array.from(whole, ([, equity]) => equity),
          drawdown: Float64Array.from(whole, ([, , drawdown]) => drawdown)
        },
        most
      )
      expect(CurveThinner.points(thinner)).toEqual(whole.filter((_, place) => kept.includes(place)))
    }),
    { numRuns: 200 }
  )
})

describe("a back-test's figures", () => {
  const marked = (over: Parameters<typeof settings>[0], given: Partial<Backtest.Backtest>) => {
    const { ended } = run({
      settings: settings(over),
      balance: Decimal.fromNumber(1000),
      series: [],
      alerts: [],
      market,
      fees: () => ({ makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero }),
      ...given
    })
    const { measured, points } = MarkedRun.measure(ended, ALL)
    return { ...Figures.figuresOf(measured), points }
  }
  const btc = (rows: Parameters<typeof columns>[0], from = 0) => ({
    exchange: "binance" as const,
    pair: BTC,
    columns: columns(rows, from)
  })
  const eth = (rows: Parameters<typeof columns>[0], from = 0) => ({ ...btc(rows, from), pair: ETH })
  const at = (price: number) => [price, price, price, price] as const

  test("an open position counts at its last close, while completed trades know nothing of it", () => {
    const { completed, marked: shown } = marked(
      { buyPercent: 50 },
      { series: [btc([at(100), at(80), at(90)])], alerts: [alert(0, "buy")] }
    )
    expect(completed.trades).toBe(0)
    expect(shown).toMatchObject({
      starting_equity: 1000,
      equity: 950,
      return_pct: -5,
      max_drawdown_pct: -10,
      drawdown_now_pct: -5,
      longest_drawdown_seconds: 120,
      longest_drawdown_recovered: false,
      time_in_market_pct: 100,
      hold_return_pct: -10
    })
    // 500 of 1000, 400 of 900, 450 of 950.
    expect(shown.exposure_pct).toBe(47.271)
  })
  test("a short counts its margin and result, which may take equity below 0", () => {
    const { marked: shown } = marked(
      { buyPercent: 100 },
      { series: [btc([at(100), at(150)])], alerts: [alert(0, "short")] }
    )
    expect(shown).toMatchObject({ equity: 500, max_drawdown_pct: -50 })
    expect(shown.exposure_pct).toBe(200)
  })
  test("holding buys each pair at its first open; the part of one that begins later stays cash until then", () => {
    const { marked: shown, points } = marked(
      {},
      { series: [btc([at(100), at(110), at(120)]), eth([[10, 11, 9, 11]], 2)] }
    )
    expect(points).toEqual([
      [0, 1000, 0, 1000],
      [0, 1000, 0, 1000],
      [MINUTE, 1000, 0, 1050],
      [2 * MINUTE, 1000, 0, 1150]
    ])
    expect(shown.hold_return_pct).toBe(15)
  })
  test("pairs that the strategy does not list are not held; without any there is nothing to compare with", () => {
    const { marked: shown, points } = marked(
      { exchanges: [{ exchange: "binance", pairs: ["ETH/USDT"] }] },
      { series: [btc([at(100), at(110)])] }
    )
    expect(shown.hold_return_pct).toBe(null)
    expect(points.map(([, , , hold]) => hold)).toEqual([null, null, null])
  })
  test("completed trades are summed by market, reason and month", () => {
    const { completed } = marked(
      { minProfitPercent: 10, stopLoss: { percent: 10 }, buyPercent: 10 },
      {
        series: [btc([at(100), at(110), at(100), at(90)]), eth([at(10), at(11)])],
        alerts: [alert(0, "buy"), alert(0, "buy", { pair: ETH }), alert(2, "buy")]
      }
    )
    const sums = { trades: 1, wins: 1, fees: 0 }
    expect(completed).toMatchObject({
      trades: 3,
      by_pair: [
        { exchange: "binance", pair: "BTC/USDT", kind: "spot", trades: 2, wins: 1 },
        { exchange: "binance", pair: "ETH/USDT", kind: "spot", ...sums }
      ],
      by_exit_reason: [
        { exit_reason: "stop_loss", trades: 1, wins: 0 },
        { exit_reason: "take_profit", trades: 2, wins: 2 }
      ],
      by_month: [{ month: "1970-01", trades: 3, wins: 2, fees: 0 }]
    })
    expect(completed.expectancy_ratio).toBeCloseTo((1 + 10 / 10.2) * (2 / 3) - 1, 2)
  })
})
