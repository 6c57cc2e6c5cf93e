// Recorded spreads in a back-test. The adversaries: minutes that are missing, a recording that begins too late, quotes from
// after the decision, and money that does not last.
import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { MarketId } from "../../src/domain/Market.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import * as BacktestMarkets from "../../src/trading/backtest/BacktestMarkets.ts"
import * as FillsView from "../../src/trading/backtest/FillsView.ts"
import * as Spreads from "../../src/trading/backtest/Spreads.ts"
import { alert, BTC, columns, MINUTE, market, settings } from "./scenario.ts"
import { world } from "./world.ts"

const of = (...rows: ReadonlyArray<readonly [minute: number, percent: number]>): Spreads.Spreads => ({
  at: Float64Array.from(rows, ([minute]) => minute * MINUTE),
  percent: Float64Array.from(rows, ([, percent]) => percent)
})
const spot: MarketId = { exchange: "binance", pair: BTC, kind: "spot" }
const fees = { makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero }
const flat = [100, 100, 100, 100] as const

/** Buys in the first minute and sells in the third, at 100 all the time. */
const tested = (
  spreads: Spreads.Spreads | undefined,
  kind: MarketId["kind"] = "spot"
): Backtest.Backtest => ({
  settings: settings({ buyPercent: 100 }),
  balance: Decimal.unsafeFromText("1000"),
  market: (id) => market(id),
  fees: () => fees,
  fillModel: { spread: "recorded" },
  spreads: (id) => (spreads !== undefined && id.kind === kind ? spreads : Spreads.NONE),
  series: [{ exchange: "binance", pair: BTC, columns: columns([flat, flat, flat]) }],
  alerts: [alert(0, "buy"), alert(2, "sell")]
})
const pricesOf = (backtest: Backtest.Backtest) =>
  Backtest.run(backtest).trades.map(({ entryPrice, exitPrice }) => [entryPrice, exitPrice])
const remarksOf = (backtest: Backtest.Backtest) =>
  FillsView.viewOf(backtest, Backtest.run(backtest))?.remarks ?? []

describe("recorded spreads", () => {
  test("cost each order half of the spread of its own minute", () => {
    expect(pricesOf(tested(of([0, 2], [1, 50], [2, 4])))).toEqual([[101, 98]])
  })

  test("never make an entry spend more than there is", () => {
    const result = Backtest.run(tested(of([0, 10])))
    expect(Decimal.isNegative(result.state.cash)).toBe(false)
    expect(result.trades).toHaveLength(1)
  })

  test("are the same as a fixed one where the recording never changes, whatever is traded", () => {
    const seed = FastCheck.integer({ min: 1, max: 400 })
    const percent = FastCheck.integer({ min: 0, max: 40 }).map((hundredths) => hundredths / 100)
    FastCheck.assert(
      FastCheck.property(seed, percent, (drawn, spread) => {
        const { backtest } = world(drawn, 1)
        const [one] = backtest.series
        const at = Float64Array.from(one?.columns.at ?? [], (time) => time)
        const constant = { at, percent: at.map(() => spread) }
        const recorded = Backtest.run({
          ...backtest,
          fillModel: { spread: "recorded" },
          spreads: () => constant
        })
        const fixed = Backtest.run({ ...backtest, fillModel: { spreadPercent: spread } })
        expect(recorded.trades).toEqual(fixed.trades)
      }),
      { numRuns: 10 }
    )
  })

  test("count for an hour after their minute, never before it, and then not at all", () => {
    const one = of([10, 3])
    expect([9.99, 10, 10.5, 69.99, 70, 9999].map((minute) => Spreads.at(one, minute * MINUTE))).toEqual([
      0, 3, 3, 3, 0, 0
    ])
    expect(Spreads.at(Spreads.NONE, 0)).toBe(0)
  })

  test("are told to be missing where no minute of the last hour is recorded, of the kind that is traded", () => {
    expect(remarksOf(tested(of([0, 1])))).toEqual([])
    expect(remarksOf(tested(of([1, 1])))).toEqual([
      "The spread of BTC/USDT on binance is not recorded from 1970-01-01 00:00:00 UTC to 1970-01-01 00:01:00 UTC: it counts as 0 there."
    ])
    const other = remarksOf(tested(of([0, 1]), "swap"))
    expect(other).toHaveLength(1)
    expect(pricesOf(tested(of([0, 1]), "swap"))).toEqual([[100, 100]])
    const holes = Spreads.holesOf(of([0, 1], [59, 1], [200, 1]), { from: 0, to: 300 * MINUTE })
    expect(holes.map(({ from, to }) => [from / MINUTE, to / MINUTE])).toEqual([
      [119, 200],
      [260, 300]
    ])
  })

  test("reach another thread as they are", () => {
    const spreads = of([0, 2], [2, 4])
    const sent = structuredClone(
      BacktestMarkets.encodeMarkets(tested(spreads), [{ exchange: "binance", pair: BTC }])
    )
    const there = BacktestMarkets.decodeMarkets(sent)
    expect(there.spreads?.(spot)).toEqual(spreads)
    expect(pricesOf({ ...tested(undefined), ...there })).toEqual(pricesOf(tested(spreads)))
  })
})
