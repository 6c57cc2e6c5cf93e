import { expect, test } from "bun:test"
import { warnings } from "../../src/trading/backtest/Warnings.ts"
import { settings } from "./scenario.ts"

const dca = { waitMinutes: 10, maxRetries: 1, triggerPercent: 5, orderSizePercent: 10 }
const codes = (over: Parameters<typeof settings>[0], fee = 0.1) =>
  warnings(settings(over), fee).map(({ code }) => code)

test("settings that can never act together are warned of", () => {
  expect(codes({})).toEqual([])
  expect(codes({ dca, stopLoss: { percent: 5 } })).toEqual(["dca_beyond_stop_loss"])
  expect(codes({ dca, stopLoss: { percent: 5.1 } })).toEqual([])
  expect(codes({ dca, autoClose: { minutes: 10 } })).toEqual(["dca_after_auto_close"])
  expect(codes({ trailingSell: { armPercent: 1, percent: 2 } })).toEqual(["trail_wider_than_arm"])
  expect(codes({ trailingSell: { armPercent: 1, percent: 2 }, minProfitPercent: 1 })).toEqual([])
  expect(codes({ balanceStopLoss: { triggerPercent: 0.2, cooldownMinutes: 1 } })).toEqual([
    "balance_stop_within_fees"
  ])
  expect(codes({ balanceStopLoss: { triggerPercent: 0.2, cooldownMinutes: 1 }, buyPercent: 50 })).toEqual([])
  const whole = [1, 2].map((profitPercent) => ({ profitPercent, closePercent: 50 }))
  const half = whole.slice(0, 1)
  const gateless = { takeProfitSteps: half, minProfitPercent: 1, signalIgnoresMinProfit: true }
  expect(codes(gateless)).toEqual(["min_profit_unused"])
  expect(codes({ ...gateless, signalIgnoresMinProfit: false })).toEqual([])
  expect(codes({ ...gateless, trailingSell: { armPercent: 3, percent: 1 } })).toEqual([])
  expect(codes({ takeProfitSteps: whole, breakEvenAfter: 2 })).toEqual(["break_even_after_all"])
  expect(codes({ takeProfitSteps: whole, breakEvenAfter: 1 })).toEqual([])
  expect(codes({ takeProfitSteps: half, breakEvenAfter: 1 })).toEqual([])
  expect(codes({ buyPercent: 0 })).toEqual(["never_buys"])
  expect(codes({ quote: "USD" })).toEqual(["pair_never_trades"])
})
