// The chart of a rule shows what the runner would do: it fires where the rule raises its alerts, and the candle under way
// decides nothing.
import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { between } from "../../src/domain/candles/CandleRange.ts"
import { scaleOf } from "../../src/domain/expression/Scale.ts"
import * as SignalRule from "../../src/domain/signalRule/SignalRule.ts"
import { alertsOf } from "../../src/trading/signalRule/RuleAlerts.ts"
import { presentOf } from "../../src/trading/signalRule/RuleCandles.ts"
import { chartOf } from "../../src/trading/signalRule/RuleChart.ts"
import { barsOf, candles, closes, read, valuesOf } from "./indicators/drawn.ts"
import { barsOf as barsOfColumns, closing } from "./ruleWorld.ts"

const MINUTE = 60_000
const SEED = 29
const ALL = 1000

const checked = (...on: ReadonlyArray<SignalRule.RuleEntry>): SignalRule.CheckedRule =>
  Either.getOrThrow(SignalRule.check({ timeframe: "1m", params: { fast: 3, slow: 7 }, on }))
const CROSSING = checked(
  { type: "buy", when: "crossover(sma(close, fast), sma(close, slow))", sl: "close - 2 * tr" },
  { type: "sell", when: "rsi(close, 2) > 70 and volume > 3" }
)

describe("the chart of a rule", () => {
  test("fires exactly where the rule raises its alerts, whatever the candle under way is like", () => {
    FastCheck.assert(
      FastCheck.property(candles(60), FastCheck.integer({ min: 1, max: 500 }), (rows, price) => {
        const closed = barsOf(rows)
        const at = (rows.at(-1)?.at ?? 0) + MINUTE
        const forming = { at, open: price, high: price, low: price, close: price, volume: 9 }
        const chart = chartOf(CROSSING, { closed, forming }, ALL)
        expect(chart.fires).toEqual(alertsOf(CROSSING, closed))
        expect(chart.forming).toEqual(forming)
        const [line] = chart.lines
        const all = barsOf([...rows, forming])
        expect([...(line?.values ?? [])]).toEqual(valuesOf("sma(close, fast)", all))
      }),
      { seed: SEED, numRuns: 60 }
    )
  })
  test("shows the last candles only, with lines and places that belong to them", () => {
    const prices = Array.from({ length: 60 }, (_, minute) => (minute % 10 < 5 ? 10 : 20))
    const chart = chartOf(CROSSING, { closed: closes(prices), forming: undefined }, 20)
    expect(chart.candles.length).toBe(20)
    expect(chart.lines.map(({ values }) => values.length)).toEqual([20, 20, 20, 20, 20])
    expect(chart.fires.length).toBeGreaterThan(0)
    for (const { at } of chart.fires) expect(at).toBeGreaterThan((chart.candles.at[0] ?? 0) + MINUTE - 1)
    const whole = alertsOf(CROSSING, closes(prices))
    expect(chart.fires).toEqual(whole.filter(({ at }) => at > 40 * MINUTE))
  })
  test("has a line for each number but the prices that the candles show already", () => {
    const chart = chartOf(CROSSING, { closed: closes([1, 2, 3]), forming: undefined }, ALL)
    expect(chart.lines.map(({ isTarget, scale, text }) => [text, scale, isTarget])).toEqual([
      ["sma(close, fast)", "price", false],
      ["sma(close, slow)", "price", false],
      ["sl: close - 2 * tr", "price", true],
      ["rsi(close, 2)", "percent", false],
      ["volume", "volume", false]
    ])
  })
  test("says at present what holds, and what would hold if the candle under way closed now", () => {
    const rule = checked({ type: "buy", when: "close > 5" })
    const forming = { at: 3 * MINUTE, open: 6, high: 6, low: 6, close: 6, volume: 1 }
    const { entries } = chartOf(rule, { closed: closes([1, 1, 4]), forming }, ALL)
    expect(entries).toEqual([
      {
        ...{ by: "on[0]", type: "buy", when: "close > 5", holds: false, holdsForming: true },
        values: [{ text: "close", closed: 4, forming: 6 }]
      }
    ])
  })
  test("has lines on both sides of New Year with the values that the rule fires by, though what never forgets begins anew", () => {
    const step = 240 * MINUTE
    const from = Date.UTC(2021, 5, 1)
    const prices = Array.from(
      { length: 4 * 365 * 6 },
      (_, row) => 100 + 30 * Math.sin(row / 50) + ((row * 7919) % 13)
    )
    const all = closing(prices, from, 240)
    const now = Date.UTC(2024, 0, 20)
    const closed = barsOfColumns(between(all, 0, now - step))
    const rule = Either.getOrThrow(
      SignalRule.check({
        timeframe: "4h",
        params: {},
        on: [{ type: "buy", when: "obv > obv[2] and obv % 5 < 2" }]
      })
    )
    const { candles, fires, lines } = chartOf(rule, { closed, forming: undefined }, 200)
    const line = lines.find(({ text }) => text === "obv")
    const isOld = fires.map(({ at }) => at < Date.UTC(2024, 0, 1))
    expect([isOld.includes(true), isOld.includes(false)]).toEqual([true, true])
    for (const { at, values } of fires) {
      const row = candles.at.indexOf(at - step)
      expect([at, line?.values[row]]).toEqual([at, values.find(({ text }) => text === "obv")?.value])
    }
  })
  test("says that a rule is not warm where candles are too few, and stands without any", () => {
    const few = chartOf(
      checked({ type: "buy", when: "ema(close, 9) > 5" }),
      { closed: closes([1, 9]), forming: undefined },
      9
    )
    expect([few.readyAt, few.warmups]).toEqual([
      undefined,
      [{ timeframe: "1m", candles: 99, anchored: false }]
    ])
    const none = chartOf(CROSSING, { closed: closes([]), forming: undefined }, ALL)
    expect([none.candles.length, none.fires, none.entries.map(({ holds }) => holds)]).toEqual([
      0,
      [],
      [false, false]
    ])
  })
})

describe("candles at present", () => {
  const minutes = (from: number, count: number) => ({
    ...closes(Array.from({ length: count }, (_, index) => from + index + 1)),
    at: Float64Array.from({ length: count }, (_, index) => (from + index) * MINUTE)
  })
  test("are closed where their time is over, and the last is under way before", () => {
    const at = (now: number) => {
      const { closed, forming } = presentOf(minutes(0, 8), "3m", now)
      return [[...closed.close], forming?.close]
    }
    expect(at(8 * MINUTE)).toEqual([[3, 6], 8])
    expect(at(9 * MINUTE - 1)).toEqual([[3, 6], 8])
    expect(at(9 * MINUTE)).toEqual([[3, 6, 8], undefined])
  })
  test("leave out a first one whose beginning is missing, and are none of longer candles", () => {
    expect([...presentOf(minutes(1, 7), "3m", 9 * MINUTE).closed.close]).toEqual([6, 8])
    const hours = { ...minutes(0, 3), at: Float64Array.of(0, 60 * MINUTE, 120 * MINUTE) }
    expect(presentOf(hours, "3m", 999 * MINUTE)).toMatchObject({ closed: { length: 0 }, forming: undefined })
  })
})

test("the scale of a number is that of what it is made of", () => {
  const rows: ReadonlyArray<readonly [text: string, scale: string]> = [
    ["close", "price"],
    ["ema(hlc3, 9)[1]", "price"],
    ["bb(close, 20, 2).lower", "price"],
    ["bb(close, 20, 2).percent_b", "bb"],
    ["supertrend(3, 10).line", "price"],
    ["supertrend(3, 10).direction", "supertrend"],
    ["close - 2 * atr(14)", "price"],
    ["close * 1.02", "price"],
    ["high - low", "difference"],
    ["macd(close, 12, 26, 9).histogram", "difference"],
    ["sma(atr(14), 3)", "difference"],
    ["sma(volume, 20)", "volume"],
    ["rsi(volume, 14)", "percent"],
    ["close / open", "other"],
    ["max(close, sma(close, 9), 5)", "price"],
    ["max(close, volume)", "other"],
    ["-close", "other"],
    ["-atr(3)", "difference"],
    ['request("4h", donchian(20).upper)', "price"],
    ["close > open ? high : low", "price"],
    ["obv", "obv"]
  ]
  for (const [text, scale] of rows) expect([text, scaleOf(read(text))]).toEqual([text, scale])
})
