import { expect, test } from "bun:test"
import { Effect } from "effect"
import type { Candle } from "../../src/domain/Candle.ts"
import { Pair } from "../../src/domain/Market.ts"
import * as PriceScript from "../../src/testing/PriceScript.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

// A year of hourly candles, and alerts where a short mean of the closes crosses a long one.
const HOUR = 3_600_000
const YEAR = 8760
const candles = PriceScript.walk({ candles: YEAR, price: 60_000, swing: 0.012, seed: 7 })
const mean = (end: number, length: number) =>
  candles.slice(Math.max(0, end - length), end).reduce((sum, { close }) => sum + close, 0) / length

const crossings = (all: ReadonlyArray<Candle>): PriceScript.Script => {
  let isAbove = false
  return all.flatMap(({ at }, index) => {
    const above = index > 72 && mean(index, 24) > mean(index, 72)
    if (above === isAbove) return []
    isAbove = above
    return [
      { at, act: { _tag: "Alert", type: above ? "buy" : "sell", pair: Pair.make("BTC/USDT") } }
    ] as const
  })
}
const prices = PriceScript.merge(crossings(candles), PriceScript.ofCandles(candles))

const strategies = [
  { name: "Plain", buy_percentage: 50 },
  { name: "Stopped", buy_percentage: 50, stop_loss: true, stop_loss_percentage: 3 },
  {
    name: "Averaging",
    strategy_dca_switch: true,
    dca_percentagetrigger: 2,
    dca_ordersize: 100,
    dca_maxretries: 3,
    dca_aftertime: 60,
    trailing_sell: true,
    trailing_sell_arm: 3,
    trailing_sell_percentage: 1
  }
]

const year = () =>
  TestServer.run({ strategies, prices }, (server) =>
    Effect.gen(function* () {
      const before = performance.now()
      yield* server.play()
      const ms = performance.now() - before
      const trades = yield* Effect.forEach(server.strategies, (strategy) => strategy.trades)
      return { ms, trades, views: yield* Effect.forEach(server.strategies, (strategy) => strategy.view) }
    })
  )

test("a year of hourly candles with three strategies takes less than a second", async () => {
  const first = await year()
  const { ms, trades, views } = await year()
  expect(trades.map((all) => all.length).every((count) => count > 20)).toBe(true)
  expect(trades.flat().at(-1)?.closedAt).toBeGreaterThan(YEAR * HOUR * 0.9)
  expect(views.map(({ performance }) => performance.summary.trade_count)).toEqual(
    trades.map((all) => all.length)
  )
  expect(JSON.stringify(trades)).toBe(JSON.stringify(first.trades))
  console.log(
    first.ms,
    ms,
    trades.map((all) => all.length),
    views.map(({ performance }) => performance.summary.net_pnl)
  )
  expect(Math.min(first.ms, ms)).toBeLessThan(1_000)
}, 20_000)
