// A year of hourly candles in less than a second, and one of minutes in two.
import { expect, test } from "bun:test"
import { Effect } from "effect"
import type { Candle } from "../../src/domain/Candle.ts"
import { Pair } from "../../src/domain/Market.ts"
import * as PriceScript from "../../src/testing/PriceScript.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
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

const played = (length: number, options: Partial<TestServer.RunOptions> = {}) =>
  TestServer.run(
    { strategies, prices: prices.filter(({ at }) => at < length * HOUR), ...options },
    (server) =>
      Effect.gen(function* () {
        const [began, spent] = [performance.now(), process.cpuUsage()]
        yield* server.play()
        // The wall's time, or this process's own where others have the machine meanwhile.
        const { system, user } = process.cpuUsage(spent)
        const ms = Math.min(performance.now() - began, (system + user) / 1000)
        const trades = yield* Effect.forEach(server.strategies, (strategy) => strategy.trades)
        const timelines = yield* Effect.forEach(server.strategies, (strategy) => strategy.timeline)
        const views = yield* Effect.forEach(server.strategies, (strategy) => strategy.view)
        return { ms, trades, timelines, views }
      })
  )

test("a year of hourly candles with three strategies takes less than a second", async () => {
  const { ms, trades, views } = await played(YEAR)
  expect(trades.map((all) => all.length > 50)).toEqual([true, true, true])
  expect(trades.flat().at(-1)?.closedAt).toBeGreaterThan(YEAR * HOUR * 0.9)
  const counted = views.map(({ performance }) => performance.summary.trade_count)
  expect(counted).toEqual(trades.map((all) => all.length))
  const again = ms < 1_000 ? ms : (await played(YEAR)).ms
  expect(again).toBeLessThan(1_000)
}, 60_000)

/** A year of minutes with an alert every three days. */
const MINUTE = 60_000
const minutes = PriceScript.walk({ candles: 525_600, everyMs: MINUTE, price: 60_000, swing: 0.0012, seed: 7 })
const turns: PriceScript.Script = Array.from({ length: 120 }, (_, turn) => ({
  at: turn * 3 * 24 * HOUR,
  act: { _tag: "Alert", type: turn % 2 === 0 ? "buy" : "sell", pair: Pair.make("BTC/USDT") }
}))

test("a year of one-minute candles with three strategies takes two seconds, or six on a busy machine", async () => {
  const year = PriceScript.merge(turns, PriceScript.ofCandles(minutes))
  const { ms, trades } = await played(Number.POSITIVE_INFINITY, { prices: year })
  expect(trades.map((all) => all.length >= 55)).toEqual([true, true, true])
  expect(trades.flat().at(-1)?.closedAt).toBeGreaterThan(350 * 24 * HOUR)
  expect(ms).toBeLessThan(6_000)
}, 60_000)

test("candles at once, one by one and through an app's own exchange give the same results", async () => {
  const whole = await played(480)
  const single = await played(480, { stride: 0 })
  const scripted = await played(480, { exchange: Scripted.make().layer })
  expect(whole.trades.flat().length).toBeGreaterThan(5)
  for (const other of [single, scripted]) {
    expect(JSON.stringify(other.trades)).toBe(JSON.stringify(whole.trades))
    expect(other.views).toEqual(whole.views)
    expect(other.timelines.map((all) => all.map(({ text }) => text))).toEqual(
      whole.timelines.map((all) => all.map(({ text }) => text))
    )
  }
}, 60_000)
