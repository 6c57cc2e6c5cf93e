// The chart of a rule in the dashboard: lines in their panels, places where it fires with their reasons, what is said
// below, and the back-test in one click.
import { expect, test } from "bun:test"
import { MAX_DAYS } from "../../src/domain/candles/CandleRequest.ts"
import { RULE_TEMPLATES } from "../../src/domain/signalRule/RuleTemplates.ts"
import {
  heightOf,
  marksOf,
  notesOf,
  type RuleChart,
  remarksOf,
  seriesOf
} from "../../src/web/page/signals/rule/chart.ts"
import {
  daysOf,
  daysToFetch,
  payloadOf,
  plainStrategy,
  storedOf
} from "../../src/web/page/signals/rule/trial.ts"

const HOUR = 3600
const line = (text: string, scale: string, is_target = false) => ({
  ...{ text, scale, is_target },
  values: [null, 2, 3]
})
const CHART: RuleChart = {
  market: { exchange: "binance", kind: "spot", pair: "BTC/USDT" },
  timeframe: "1h",
  source: "recorded",
  candles: [
    [0, 1, 2, 1, 2],
    [HOUR, 2, 3, 2, 3]
  ],
  forming: [2 * HOUR, 3, 4, 3, 4],
  lines: [
    line("ema(close, 9)", "price"),
    line("rsi(close, 14)", "percent"),
    line("mfi(close, 14)", "percent"),
    line("obv", "obv"),
    line("volume", "volume"),
    line("cci(close, 9)", "cci"),
    line("sl: low", "price", true)
  ],
  fires: [
    {
      ...{ at: 2 * HOUR, candle: HOUR, by: "on[0]", type: "buy", close: 3, missing: [], withheld: false },
      values: [{ text: "ema(close, 9)", value: 2.5 }]
    },
    {
      ...{ at: 2 * HOUR, candle: HOUR, by: "on[1]", type: "sell", close: 3, missing: ["sl"], withheld: true },
      values: [{ text: "obv", value: null }]
    }
  ],
  entries: [],
  ready_at: HOUR,
  needs: [{ timeframe: "1h", candles: 154, anchored: false }]
}

test("prices lie among the candles, and other scales in at most three panels below", () => {
  const panes = seriesOf(CHART).map((it) => ("pane" in it ? [it.title, it.pane, it.tone] : [it.kind]))
  expect(panes).toEqual([
    ["candles"],
    ["ema(close, 9)", 0, "accent"],
    ["rsi(close, 14)", 1, "warn"],
    ["mfi(close, 14)", 1, "violet"],
    ["obv", 2, "teal"],
    ["volume", 3, "accent"],
    ["cci(close, 9)", 3, "warn"],
    ["sl: low", 0, "quiet"]
  ])
  expect(heightOf(CHART)).toBe(650)
  expect(heightOf({ ...CHART, lines: [] })).toBe(320)
})

test("a line has points where it has values, and the candle under way is the last", () => {
  const [candles, ema] = seriesOf(CHART)
  expect(candles?.kind === "candles" ? candles.bars.map(({ time }) => time) : []).toEqual([0, HOUR, 2 * HOUR])
  expect(ema?.kind === "line" ? ema.points : []).toEqual([
    { time: HOUR, value: 2 },
    { time: 2 * HOUR, value: 3 }
  ])
})

test("a place where the rule fires says why, and whether it was withheld", () => {
  expect(marksOf(CHART).map(({ side, time, tone }) => [time, side, tone])).toEqual([
    [HOUR, "below", "good"],
    [HOUR, "above", "quiet"]
  ])
  expect(notesOf(CHART)?.get(HOUR)).toEqual([
    "Rule fires: buy by on[0] (ema(close, 9) 2.50)",
    "Rule fires: sell by on[1] (obv –); withheld, since sl had no value"
  ])
})

test("the words below say where candles are from, and how warm the rule is", () => {
  const [first, second] = remarksOf(CHART)
  expect(first).toBe(
    "Recorded and downloaded candles, joined into 1h. The rule fires 2 times here, at the close of the marked candles."
  )
  expect(second).toContain("it needs 154 candles of 1h")
  expect(remarksOf({ ...CHART, ready_at: null })[1]).toContain("not warm yet")
  expect(remarksOf({ ...CHART, ready_at: 0 }).length).toBe(1)
  expect(remarksOf({ ...CHART, candles: [] })).toEqual([])
})

test("a back-test in one click takes the last days that are stored, whatever the template", () => {
  const market = CHART.market
  const stored = { ...market, from: 0, to: 500 * 24 * HOUR, bytes: 1 }
  expect(storedOf([{ ...stored, kind: "swap" }, stored], market)).toBe(stored)
  for (const { rule } of RULE_TEMPLATES) {
    const whole = { ...rule, markets: [] }
    const [candles] = payloadOf(plainStrategy(market), whole, stored).candles
    expect(candles).toEqual({ ...market, from: stored.to - daysOf(whole) * 24 * HOUR, to: stored.to })
    expect(payloadOf(plainStrategy(market), whole, { ...stored, to: HOUR }).candles[0]).toMatchObject({
      from: 0
    })
    const days = daysToFetch(whole, [{ timeframe: "1d", candles: 5000, anchored: false }])
    expect(days).toBeLessThanOrEqual(MAX_DAYS)
    expect(daysToFetch(whole, [{ timeframe: "1h", candles: 240, anchored: false }])).toBe(daysOf(whole) + 12)
  }
})
