// Fills nearer to life. The adversaries: a step that is not known, a price of 0 after slippage, a limit exactly at the
// low, orders on the way when candles are missing or end, money that does not last, funding that is not stored.
import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { FillModel } from "../../src/domain/fills/FillModel.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import type { Filled } from "../../src/trading/backtest/BacktestView.ts"
import * as FillsView from "../../src/trading/backtest/FillsView.ts"
import * as Latency from "../../src/trading/backtest/Latency.ts"
import { marketPrice } from "../../src/trading/books/FillPrice.ts"
import * as Ledger from "../../src/trading/books/Ledger.ts"
import * as MarkedRun from "../../src/trading/equity/MarkedRun.ts"
import { alert, BTC, columns, type Given, MINUTE, market, run, settings, told } from "./scenario.ts"
import { world } from "./world.ts"

const flat = [100, 100, 100, 100] as const
const buy = alert(0, "buy")
const sell = (minute: number) => alert(minute, "sell")
const id = { exchange: "binance", pair: BTC, kind: "spot" } as const
const at = (side: "buy" | "sell", price: number, model: FillModel, priceStep = "0.01") =>
  marketPrice(side, price, { model, market: market(id, { priceStep }) })

const tables: Record<
  string,
  ReadonlyArray<Given & { readonly name: string; readonly trades: ReadonlyArray<string> }>
> = {
  "a market order slips against itself": [
    {
      name: "by a percentage: 10000 buy 99.0099 at 101, which sell at 99",
      fillModel: { slippagePercent: 1 },
      candles: [flat, flat],
      alerts: [buy, sell(1)],
      trades: ["long 99.0099@101 -> 99 signal x1 @1"]
    },
    {
      name: "by steps of the market",
      fillModel: { slippageTicks: 3 },
      market: { priceStep: "0.5" },
      candles: [flat, flat],
      alerts: [buy, sell(1)],
      trades: ["long 98.522167@101.5 -> 98.5 signal x1 @1"]
    },
    {
      name: "a stop slips too, from the level at which it acts",
      settings: { stopLoss: { percent: 5 }, buyPercent: 10 },
      fillModel: { slippagePercent: 2 },
      candles: [flat, [100, 100, 90, 95]],
      alerts: [buy],
      // Bought at 102, so the stop is at 96.9, where it sells at 2 % less.
      trades: ["long 10@102 -> 94.962 stop_loss x1 @1"]
    },
    {
      name: "a short sells lower and buys back higher",
      fillModel: { slippagePercent: 1 },
      settings: { buyPercent: 10 },
      candles: [flat, flat],
      alerts: [alert(0, "short"), alert(1, "close_short")],
      trades: ["short 10@99 -> 101 signal x1 @1"]
    },
    {
      name: "a take profit rests, and does not slip",
      fillModel: { slippagePercent: 1, spreadPercent: 1 },
      settings: { minProfitPercent: 5, buyPercent: 10 },
      candles: [flat, [100, 120, 100, 110]],
      alerts: [buy],
      // At 100.5 + 1 % = 101.505 bought, so 5 % are at 106.58025, on the next step.
      trades: ["long 10@101.505 -> 106.59 take_profit x1 @1"]
    },
    {
      name: "a liquidation takes the margin, whatever slips",
      fillModel: { slippagePercent: 1 },
      candles: [flat, [100, 210, 100, 210]],
      alerts: [alert(0, "short")],
      trades: ["short 99.0099@99 -> 198 liquidation x1 @1"]
    }
  ],
  "a spread counts by half on each side": [
    {
      name: "two percent are one on the way in and one on the way out",
      fillModel: { spreadPercent: 2 },
      settings: { buyPercent: 10 },
      candles: [flat, flat],
      alerts: [buy, sell(1)],
      trades: ["long 10@101 -> 99 signal x1 @1"]
    }
  ],
  "a limit fills only where the price goes through it": [
    {
      name: "touched by the high is not through",
      settings: { minProfitPercent: 5 },
      fillModel: { limits: "through" },
      candles: [flat, [100, 105, 99, 100]],
      alerts: [buy],
      trades: []
    },
    {
      name: "one step beyond is, and it sells at its own price",
      settings: { minProfitPercent: 5 },
      fillModel: { limits: "through" },
      candles: [flat, [100, 105.01, 99, 100]],
      alerts: [buy],
      trades: ["long 100@100 -> 105 take_profit x1 @1"]
    },
    {
      name: "a short's limit exactly at the low does not fill",
      settings: { minProfitPercent: 5, buyPercent: 50 },
      fillModel: { limits: "through" },
      candles: [flat, [100, 100, 95, 100]],
      alerts: [alert(0, "short")],
      trades: []
    },
    {
      name: "a short's limit fills a step below it",
      settings: { minProfitPercent: 5, buyPercent: 50 },
      fillModel: { limits: "through" },
      candles: [flat, [100, 100, 94.99, 100]],
      alerts: [alert(0, "short")],
      trades: ["short 50@100 -> 95 take_profit x1 @1"]
    },
    {
      name: "an open beyond the limit gives its own price, not the open's",
      settings: { minProfitPercent: 5 },
      fillModel: { limits: "through" },
      candles: [flat, [120, 120, 119, 120]],
      alerts: [buy],
      trades: ["long 100@100 -> 105 take_profit x1 @1"]
    },
    {
      name: "without a known step the least move beyond counts",
      settings: { minProfitPercent: 5 },
      market: { priceStep: "0" },
      fillModel: { limits: "through" },
      candles: [flat, [100, 105, 99, 100], [100, 105.001, 99, 100]],
      alerts: [buy],
      trades: ["long 100@100 -> 105 take_profit x1 @2"]
    }
  ],
  "a late order fills at the price of then": [
    {
      name: "half a minute into a candle that rises evenly; the money set aside buys less there",
      fillModel: { latencyMs: 30_000 },
      settings: { buyPercent: 10 },
      candles: [[100, 110, 100, 110], flat, flat],
      alerts: [buy, sell(1)],
      trades: ["long 9.523809@105 -> 100 signal x1 @1"]
    },
    {
      name: "a purchase meets the high first, a sale the low",
      fillModel: { latencyMs: 15_000 },
      settings: { buyPercent: 10 },
      // 40 of distance in a minute: 10 of it are gone after a quarter.
      candles: [[100, 110, 90, 100], flat, [100, 110, 90, 100]],
      alerts: [buy, sell(2)],
      trades: ["long 9.090909@110 -> 90 signal x1 @2"]
    },
    {
      name: "a stop goes on along the path of its candle",
      fillModel: { latencyMs: 15_000 },
      settings: { buyPercent: 10, stopLoss: { percent: 5 } },
      // Down 10, up 10, then 20: the stop at 95 is met after 7.5 s, and 15 s later the price is back at 95.
      candles: [flat, [100, 110, 90, 100]],
      alerts: [buy],
      trades: ["long 10@100 -> 95 stop_loss x1 @1"]
    },
    {
      name: "beyond the candle's end it meets the next one's price",
      fillModel: { latencyMs: 90_000 },
      settings: { buyPercent: 10 },
      candles: [flat, [100, 110, 100, 110], flat],
      alerts: [buy, sell(2)],
      trades: ["long 9.523809@105 -> 100 signal x1 @2"]
    },
    {
      name: "a limit rests at the exchange already, and is not late",
      fillModel: { latencyMs: 30_000 },
      settings: { minProfitPercent: 5, buyPercent: 10 },
      candles: [flat, [100, 120, 100, 100]],
      alerts: [buy],
      trades: ["long 10@100 -> 105 take_profit x1 @1"]
    }
  ]
}

for (const [title, scenarios] of Object.entries(tables)) {
  describe(title, () => {
    for (const { name, trades, ...given } of scenarios)
      test(name, () => expect(told(run(given))).toEqual(trades))
  })
}

describe("the price of a market order", () => {
  const prices = FastCheck.double({ min: 1e-6, max: 1e6, noNaN: true })
  const percents = FastCheck.double({ min: 0, max: 10, noNaN: true })

  test("never gets better with more slippage, a wider spread, or both", () => {
    FastCheck.assert(
      FastCheck.property(
        prices,
        percents,
        percents,
        percents,
        (price, slippagePercent, more, spreadPercent) => {
          const models: ReadonlyArray<FillModel> = [
            {},
            { slippagePercent },
            { slippagePercent: slippagePercent + more },
            { slippagePercent: slippagePercent + more, spreadPercent }
          ]
          const bought = models.map((model) => at("buy", price, model, "0.000001"))
          const sold = models.map((model) => at("sell", price, model, "0.000001"))
          for (const [index, one] of bought.slice(1).entries())
            expect(one).toBeGreaterThanOrEqual((bought[index] ?? 0) * (1 - 1e-14))
          for (const [index, one] of sold.slice(1).entries())
            expect(one).toBeLessThanOrEqual((sold[index] ?? 0) * (1 + 1e-14))
        }
      )
    )
  })

  test("never falls to 0, however many steps a sale slips, and never rises above what was asked", () => {
    expect(at("sell", 0.05, { slippageTicks: 1000 })).toBe(0.01)
    expect(at("sell", 0.004, { slippageTicks: 1000 })).toBe(0.004)
    expect(at("buy", 0.05, { slippageTicks: 1000 })).toBe(10.05)
  })

  test("does not slip by a step that is not known, and a report says so", () => {
    expect(at("buy", 100, { slippageTicks: 5 }, "0")).toBe(100)
    const tested = {
      alerts: [],
      fillModel: { slippageTicks: 5 },
      series: [{ exchange: "binance", pair: BTC, columns: columns([flat]) }],
      market: () => market(id, { priceStep: "0" })
    } as const
    expect(FillsView.viewOf(tested, { postings: [] })).toEqual({
      slippage_ticks: 5,
      text: "slippage=5ticks",
      remarks: [
        "The price step of BTC/USDT on binance is not known: nothing slips there. Give slippage in percent."
      ]
    })
  })
})

describe("over random worlds", () => {
  const seeds = FastCheck.integer({ min: 1, max: 1_000_000 })
  const RUNS = { numRuns: 60, seed: 20_221_213 }

  test("a model in which everything is 0 changes nothing, to the last digit", () => {
    FastCheck.assert(
      FastCheck.property(seeds, (seed) => {
        const { backtest } = world(seed, 2)
        const fillModel = { slippagePercent: 0, slippageTicks: 0, spreadPercent: 0, latencyMs: 0 }
        expect(Backtest.run({ ...backtest, fillModel })).toEqual(Backtest.run(backtest))
      }),
      RUNS
    )
  })

  test("the books balance, and no entry costs more than the cash there is, whatever is on", () => {
    const models: ReadonlyArray<FillModel> = [
      { slippagePercent: 3 },
      { slippageTicks: 200, spreadPercent: 5 },
      { latencyMs: 45_000, slippagePercent: 0.5 },
      { latencyMs: 600_000, limits: "through" },
      { spreadPercent: 0.1, limits: "through", funding: true }
    ]
    const rates = Array.from({ length: 200 }, (_, index) => ({
      at: index * 7 * MINUTE,
      rate: ((index % 5) - 2) / 1000
    }))
    FastCheck.assert(
      FastCheck.property(seeds, FastCheck.constantFrom(...models), (seed, fillModel) => {
        const { backtest } = world(seed, 2)
        const fills: Array<Filled> = []
        const result = Backtest.run({
          ...backtest,
          fillModel,
          filled: (order, fill) => void fills.push({ order, fill }),
          ...(fillModel.funding === true ? { funding: () => rates } : {})
        })
        let cash = Decimal.zero
        for (const posting of result.postings) {
          expect(Decimal.isZero(Ledger.imbalance(posting))).toBe(true)
          cash = Decimal.add(cash, Ledger.balances([posting]).cash)
          const isEntry = posting.lines.some(
            ({ account, amount }) => account === "positions" && Decimal.isPositive(amount)
          )
          if (isEntry) expect(Decimal.isNegative(cash)).toBe(false)
        }
        expect(Decimal.equals(cash, result.state.cash)).toBe(true)
        const pnl = Decimal.sum(result.trades.map((trade) => trade.pnl))
        if (result.open.length === 0)
          expect(Decimal.equals(Decimal.add(backtest.balance, pnl), cash)).toBe(true)
        // The curve, which is rebuilt from postings and fills, ends where the books do.
        const { measured } = MarkedRun.measure(
          { settings: backtest.settings, series: backtest.series, result, fills },
          10
        )
        if (result.open.length === 0) expect(measured.state.equity).toBeCloseTo(Decimal.toNumber(cash), 6)
      }),
      RUNS
    )
  })
})

describe("a late order", () => {
  const given: Given = {
    fillModel: { latencyMs: 90_000 },
    settings: { buyPercent: 10 },
    candles: [flat, flat],
    alerts: [buy]
  }

  test("whose candles end gets the last close, and a report counts it", () => {
    const result = run({ ...given, candles: [[100, 100, 90, 90]] })
    const notional = result.open[0]?.position?.entryNotional ?? Decimal.zero
    expect([result.afterEnd, Decimal.toText(notional)]).toEqual([1, "900"])
    const view = FillsView.viewOf({ ...empty, fillModel: { latencyMs: 90_000 } }, result)
    expect(view?.remarks).toEqual([
      "One order was on the way when the candles ended, and got the last close."
    ])
  })

  test("whose moment has no candle gets the open of the next one", () => {
    const rows = columns([flat, flat, [120, 130, 110, 115]])
    // A hole of an hour before the last candle.
    const holed = { ...rows, at: Float64Array.from([0, MINUTE, 61 * MINUTE]) }
    const series = Latency.timed(holed)
    expect(series.span).toBe(MINUTE)
    expect(Latency.at(series, 30 * MINUTE, "buy")).toEqual({ price: 120, isAfterEnd: false })
    expect(Latency.at(series, 62 * MINUTE, "sell")).toEqual({ price: 115, isAfterEnd: true })
    expect(Latency.at(series, -1, "sell")).toEqual({ price: 100, isAfterEnd: false })
  })

  test("with all the cash buys less where the price ran away, and never more than its money", () => {
    const result = run({
      fillModel: { latencyMs: 60_000 },
      market: { amountStep: "1" },
      candles: [flat, [150, 150, 150, 150]],
      alerts: [buy]
    })
    const [slot] = result.open
    expect(
      [slot?.position?.quantity, result.state.cash].map((value) => value && Decimal.toText(value))
    ).toEqual(["66", "100"])
  })

  test("whose money buys nothing any more is refused, and nothing is held", () => {
    const result = run({
      fillModel: { latencyMs: 60_000 },
      market: { amountStep: "100" },
      candles: [flat, [150, 150, 150, 150]],
      alerts: [buy]
    })
    expect([result.open.length, result.trades.length, Decimal.toText(result.state.cash)]).toEqual([
      0,
      0,
      "10000"
    ])
  })

  test("of another pair, which a balance rule closes, fills at that pair's own price of then", () => {
    const result = run({
      fillModel: { latencyMs: 30_000 },
      settings: { buyPercent: 40, balanceStopLoss: { triggerPercent: 10, cooldownMinutes: 1 } },
      candles: {
        "BTC/USDT": [flat, [100, 100, 50, 50]],
        "ETH/USDT": [flat, [100, 120, 100, 120], flat]
      },
      alerts: [buy, alert(0, "buy", { pair: "ETH/USDT" as typeof BTC })]
    })
    const eth = result.trades.find(({ pair }) => pair !== BTC)
    expect([eth?.exitReason, eth?.exitPrice]).toEqual(["balance_stop_loss", 110])
  })
})

const empty = { alerts: [], series: [], market: () => undefined }

describe("funding of a perpetual", () => {
  const HOUR = 60 * MINUTE
  const hours = (rows: number) => Array.from({ length: rows }, () => flat)
  const long = alert(0, "long")
  const given: Given = {
    settings: { buyPercent: 50 },
    fillModel: { funding: true },
    candles: hours(6),
    alerts: [long, alert(5, "close_long")],
    funding: [
      { at: 0, rate: 0.01 },
      { at: 2 * MINUTE, rate: 0.001 },
      { at: 4 * MINUTE + 1, rate: -0.0004 },
      { at: 6 * MINUTE, rate: 0.5 }
    ]
  }

  test("is paid by longs on what is held at its time, at the open then; the trade, cash and ledger have it", () => {
    // 50 x 100 x 0.001 = 5 are paid, 50 x 100 x 0.0004 = 2 come back. The first rate is from before the entry.
    const result = run(given)
    const [trade] = result.trades
    expect(
      [trade?.pnl, trade?.funding, result.state.cash].map((value) => value && Decimal.toText(value))
    ).toEqual(["-3", "-3", "9997"])
    const posted = result.postings.filter(({ lines }) => lines.some(({ account }) => account === "funding"))
    expect(posted.map(({ at, lines }) => [at, ...lines.map(({ amount }) => Decimal.toText(amount))])).toEqual(
      [
        [2 * MINUTE, "-5", "5"],
        [5 * MINUTE, "2", "-2"]
      ]
    )
    expect(Decimal.toText(Ledger.balances(result.postings).funding)).toBe("3")
  })

  test("changes the curve by what was paid, and by nothing else", () => {
    const fills: Array<Filled> = []
    const result = run({ ...given, filled: (order, fill) => void fills.push({ order, fill }) })
    const series = [{ exchange: "binance" as const, pair: BTC, columns: columns(hours(6)) }]
    const { points } = MarkedRun.measure({ settings: settings(), series, result, fills }, 10)
    // Before the first candle, and at the close of each.
    expect(points.map(([, equity]) => equity)).toEqual([10_000, 10_000, 10_000, 9995, 9995, 9995, 9997])
  })

  test("is received by shorts, and pays nothing on spot", () => {
    const shorts = run({ ...given, alerts: [alert(0, "short"), alert(5, "close_short")] })
    expect(shorts.trades.map(({ pnl }) => Decimal.toText(pnl))).toEqual(["3"])
    const spot = run({ ...given, alerts: [buy, sell(5)] })
    expect(spot.trades.map(({ funding, pnl }) => [funding, Decimal.toText(pnl)])).toEqual([[undefined, "0"]])
  })

  test("comes to the same sum whatever else happens, and without rates to nothing", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(
          FastCheck.tuple(
            FastCheck.integer({ min: 1, max: 300_000 }),
            FastCheck.integer({ min: -99, max: 99 })
          )
        ),
        (drawn) => {
          const funding = drawn.map(([at, basis]) => ({ at, rate: basis / 100_000 }))
          const result = run({ ...given, funding })
          const due = drawn.reduce((sum, [, basis]) => sum - 5000 * (basis / 100_000), 0)
          const [trade] = result.trades
          expect(Decimal.toNumber(trade?.pnl ?? Decimal.one)).toBeCloseTo(due, 9)
        }
      )
    )
  })

  test("that is not stored is told, once for each hole", () => {
    const span = { at: Float64Array.from([0, 48 * HOUR]), length: 2 }
    const tested = {
      ...empty,
      alerts: [long],
      fillModel: { funding: true },
      series: [{ exchange: "binance", pair: BTC, columns: { ...columns([flat, flat]), ...span } }],
      funding: () => [8, 16, 40].map((hour) => ({ at: hour * HOUR, rate: 0.0001 }))
    } as const
    expect(FillsView.viewOf(tested, { postings: [] })?.remarks).toEqual([
      "Funding of BTC/USDT on binance is not stored from 1970-01-01 16:00:00 UTC to 1970-01-02 16:00:00 UTC: it counts as 0 there."
    ])
    const spot = { ...tested, alerts: [buy] }
    expect(FillsView.viewOf(spot, { postings: [] })?.remarks).toEqual([])
    expect(FillsView.viewOf({ ...tested, funding: undefined }, { postings: [] })?.remarks[0]).toContain(
      "1970-01-01 00:00"
    )
  })

  test("brings a balance stop loss nearer in the candles after it, scanned or walked", () => {
    const result = run({
      ...given,
      settings: { buyPercent: 50, balanceStopLoss: { triggerPercent: 1, cooldownMinutes: 1 } },
      funding: [{ at: 2 * MINUTE, rate: 0.03 }]
    })
    // 150 of 10000 are paid: over 1 %.
    expect(result.trades.map(({ closedAt, exitReason }) => [closedAt / MINUTE, exitReason])).toEqual([
      [2, "balance_stop_loss"]
    ])
  })
})
