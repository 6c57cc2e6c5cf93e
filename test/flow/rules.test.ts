// Rules at work: what a server raises over the candles that its feed gives it, beside what a back-test raises over the same
// ones.
import { expect } from "bun:test"
import { Effect, Option } from "effect"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import { Pair } from "../../src/domain/Market.ts"
import type { RuleDocument } from "../../src/domain/signalRule/RuleDocument.ts"
import { rule as aRule } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import { replayed } from "../lib/replayedRules.ts"
import { runOf } from "../trading/ruleWorld.ts"
import * as Worlds from "./worlds.ts"

const MINUTE = 60_000
const BEGIN = Date.UTC(2024, 1, 29)
const [BTC = Pair.make("BTC/USDT")] = Worlds.PAIRS

/** What a back-test over the same candles raises, up to the last moment at which the server saw a candle close. */
const tested = (columns: Columns, rule: RuleDocument) =>
  runOf(rule, [{ exchange: "binance", pair: BTC, columns }], { from: BEGIN, until: Number.POSITIVE_INFINITY })
    .raised

const CROSS = {
  params: { fast: 3, slow: 8 },
  on: [
    {
      type: "buy" as const,
      when: "crossover(ema(close, fast), ema(close, slow))",
      sl: "close - 2 * atr(14)"
    },
    { type: "sell" as const, when: "crossunder(ema(close, fast), ema(close, slow))" },
    { type: "sell" as const, when: "rsi(close, 7) > 70", close_percent: 50 }
  ]
}

const RULES: ReadonlyArray<readonly [string, Partial<RuleDocument>, number]> = [
  ["minutes", { timeframe: "1m", ...CROSS }, 600],
  ["five minutes", { timeframe: "5m", ...CROSS }, 2_500],
  ["a quarter", { timeframe: "15m", ...CROSS }, 6_000],
  [
    "minutes with a longer timeframe",
    {
      timeframe: "3m",
      on: [{ type: "buy", when: 'crossover(close, sma(close, 5)) and request("15m", close > sma(close, 3))' }]
    },
    2_000
  ],
  [
    "what never forgets",
    {
      timeframe: "1m",
      on: [{ type: "buy", when: "barssince(close > open) % 5 == 3 and supertrend(3, 10).direction < 0" }]
    },
    800
  ]
]

for (const [name, changes, length] of RULES)
  it.live(`a rule over ${name} raises what the back-test raises, alert by alert`, () =>
    Effect.gen(function* () {
      for (const seed of [1, 2]) {
        const columns = Worlds.walk(Worlds.dice(seed), BEGIN, length, 100, 0.01)
        const rule = aRule(changes)
        const [found = []] = yield* replayed(columns, [rule])
        const expected = tested(columns, rule)
        expect(expected.length).toBeGreaterThan(3)
        const last = columns.at.at(-1) ?? 0
        const due = expected.filter(({ at, alert }) => at <= last + MINUTE && alert !== undefined)
        expect(
          found.map(({ alert, origin }) => [alert.receivedAt, origin.by, alert.type, origin.close])
        ).toEqual(due.map(({ at, by, close, type }) => [at, by, type, close ?? null]))
        expect(found.map(({ origin }) => origin.values)).toEqual(
          due.map(({ values }) => values.map(({ text, value }) => ({ text, value: value ?? null })))
        )
        expect(found.map(({ alert }) => Option.getOrUndefined(alert.sl))).toEqual(
          due.map(({ alert }) => alert?.sl)
        )
      }
    })
  )
