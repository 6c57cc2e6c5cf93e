// Rules with functions that never forget, at work over New Years: what a server raises that takes candle by candle, is
// corrected, and begins at any time, is what a back-test over the same candles raises.
import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { type Bar, type Bars, barAt } from "../../src/trading/indicators/Plan.ts"
import type { RuleAlert } from "../../src/trading/signalRule/RuleAlerts.ts"
import { rowsOf } from "../../src/trading/signalRule/RuleCandles.ts"
import { anchorOf, raisedOver } from "../../src/trading/signalRule/RuleHistory.ts"
import { watchYears } from "../../src/trading/signalRule/RuleYears.ts"
import { firstAt } from "../../src/trading/watch/Scan.ts"
import { document, ruleOf } from "./ruleWorld.ts"

const SPAN = 6 * 3_600_000
const FIRST = Date.UTC(2020, 6, 1)
/** Up to so many candles: five New Years. */
const CANDLES = 4 * 365 * 5
const SEED = 29

/** A walk with holes: also around New Years, where a hole may be of days. */
const walked = (dice: SeededRandom): Bars => {
  const rows: Array<Bar> = []
  let close = 100
  for (let row = 0; row < CANDLES; row++) {
    const open = close
    close = Math.max(5, open * (1 + dice.between(-0.02, 0.02)))
    const [high, low] = [Math.max(open, close) * 1.002, Math.min(open, close) * 0.998]
    if (!dice.chance(0.05))
      rows.push({ at: FIRST + row * SPAN, open, high, low, close, volume: dice.whole(1, 50) })
  }
  const column = (name: keyof Bar) => Float64Array.from(rows, (row) => row[name])
  return {
    ...{ at: column("at"), open: column("open"), high: column("high"), low: column("low") },
    ...{ close: column("close"), volume: column("volume"), length: rows.length }
  }
}

/** Each of the four, alone, of a longer timeframe, of one another, and beside what forgets. */
const RULES = [
  ["obv % 3 < 1", "obv > obv[1]"],
  ["crossover(close, sar(0.02, 0.02, 0.2))", "close < sar(0.02, 0.02, 0.2)"],
  ["supertrend(2, 5).direction < 0", "crossunder(close, supertrend(1, 3).line)"],
  ["barssince(close > highest(30)[1]) % 5 == 2", "barssince(rsi(close, 3) < 20) > 6"],
  ['request("1d", obv) % 2 == 0', 'close > request("1d", supertrend(1, 3).line)'],
  ["barssince(obv < obv[1]) == 2", "crossover(ema(close, 3), ema(close, 8))"],
  ["close > vwap and vwap > vwap[1]", "close < vwap.lower"]
].map((whens) =>
  document({ timeframe: "6h", on: whens.map((when) => ({ type: "buy", when, sl: "close - atr(3)" })) })
)

const namesOf = (alerts: ReadonlyArray<RuleAlert>) =>
  alerts.map(({ amounts, at, entry, values }) => ({ entry, at, values, amounts: [...amounts] }))

test("over New Years a server raises what a back-test raises, with the same values, wherever it begins", () => {
  const seen = { alerts: 0, years: 0 }
  FastCheck.assert(
    FastCheck.property(FastCheck.integer({ min: 1, max: 10_000 }), (seed) => {
      const dice = new SeededRandom(seed)
      const bars = walked(dice)
      const rules = RULES.map((rule) => ruleOf(rule).checked)
      const since = FIRST + dice.whole(2 * 365 * 4, CANDLES - 10) * SPAN
      const expected = raisedOver(rules, bars, since + 1)
      // What an exchange is asked for at the start, of which the candles after it come one by one.
      const [begin, live] = [firstAt(bars.at, anchorOf(since), 0), firstAt(bars.at, since, 0)]
      const { hold, push, take } = watchYears(rules, since)
      const found = take(rowsOf(bars, begin, live)).map((alerts) => alerts.filter(({ at }) => at > since))
      for (let row = live; row < bars.length; row++) {
        const bar = barAt(bars, row)
        const isNewYear = anchorOf(bar.at) !== anchorOf(bars.at[row - 1] ?? 0)
        if (isNewYear || dice.chance(0.1)) {
          const undo = hold()
          push({ ...bar, close: bar.low, volume: 1 })
          undo()
        }
        for (const [index, alerts] of push(bar).entries()) found[index]?.push(...alerts)
      }
      for (const [index, one] of expected.entries()) {
        expect([seed, index, namesOf(found[index] ?? [])]).toEqual([seed, index, namesOf(one.alerts)])
        seen.alerts += one.alerts.length
      }
      seen.years += new Date(FIRST + CANDLES * SPAN).getUTCFullYear() - new Date(since).getUTCFullYear()
    }),
    { numRuns: 6, seed: SEED }
  )
  expect(seen.alerts).toBeGreaterThan(5_000)
  expect(seen.years).toBeGreaterThan(6)
})
