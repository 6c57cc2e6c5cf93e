import { expect, test } from "bun:test"
import { type Comparison, reasonsOf, stepsOf } from "../../src/web/page/strategy/compare/waterfall.ts"

const part = (name: string, amount: number) => ({ part: name, label: name, text: "", amount, trades: 1 })

const comparison = (test: number, parts: Comparison["parts"], remainder = 0): Comparison => {
  const difference = parts.reduce((sum, { amount }) => sum + amount, remainder)
  return {
    ...{
      strategy_id: 1,
      name: "A",
      mode: "paper",
      period: 1,
      currency: "USDT",
      from: 0,
      to: 1,
      starting_balance: 100
    },
    ...{
      live: { pnl: test + difference, trades: 1 },
      test: { pnl: test, trades: 1 },
      difference,
      parts,
      remainder
    },
    ...{ trades: [], trades_total: 0, holes: [], holes_total: 0, candles: 1, notices: [] }
  }
}

test("each bar of the waterfall begins where the one before ended, and none leaves the picture", () => {
  const steps = stepsOf(comparison(10, [part("price", -20), part("alerts", 0), part("fees", 5)]))
  expect(steps.map(({ key, width, x }) => [key, x, width])).toEqual([
    ["test", 50, 50],
    ["price", 0, 100],
    ["fees", 0, 25],
    ["remainder", 25, 0],
    ["live", 25, 25]
  ])
})

test("the rest that no part explains has a bar of its own, which is there where it is 0 too", () => {
  const steps = stepsOf(comparison(0, [part("price", 1)], -3))
  expect(steps.map(({ amount, key }) => [key, amount])).toEqual([
    ["test", 0],
    ["price", 1],
    ["remainder", -3],
    ["live", -2]
  ])
})

test("where nothing was traded, no bar has a width", () => {
  expect(stepsOf(comparison(0, [part("price", 0)])).map(({ width, x }) => [x, width])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0]
  ])
})

test("a trade's reasons are the parts that it has, the largest first", () => {
  const trade: Comparison["trades"][number] = {
    ...{ exchange: "binance", kind: "spot", side: "long", alert_id: 1, live: null, test: null, open: null },
    ...{ pair: "BTC/USDT", answer: null, difference: -3, remainder: 0, main: "fees", why: "fees" },
    parts: { price: 1, alerts: 0, fees: -4 }
  }
  const parts = [part("price", 0), part("alerts", 0), part("fees", 0)]
  expect(reasonsOf({ ...trade, remainder: 2 }, parts).map(({ label }) => label)).toEqual([
    "fees",
    "The rest",
    "price"
  ])
  expect(reasonsOf(trade, parts)).toEqual([
    { label: "fees", amount: -4 },
    { label: "price", amount: 1 }
  ])
})
