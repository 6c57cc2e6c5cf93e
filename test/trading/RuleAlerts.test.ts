// When a rule raises an alert: at an edge, once, with the values that decided it, and the same however candles come.
import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as SignalRule from "../../src/domain/signalRule/SignalRule.ts"
import type { Bars } from "../../src/trading/signalRule/Evaluate.ts"
import * as RuleAlerts from "../../src/trading/signalRule/RuleAlerts.ts"
import { barsOf, candles, closes, expressions } from "./indicators/drawn.ts"

const MINUTE = 60_000
const SEED = 28

const ruleOf = (...on: ReadonlyArray<SignalRule.RuleEntry>): SignalRule.SignalRule => ({
  timeframe: "1m",
  params: { fast: 3, slow: 7 },
  on
})

const checked = (...on: ReadonlyArray<SignalRule.RuleEntry>): SignalRule.CheckedRule =>
  Either.getOrThrow(SignalRule.check(ruleOf(...on)))

/** The minutes at whose beginning lie the candles that raise an alert. */
const raised = (when: string, bars: Bars): ReadonlyArray<number> =>
  RuleAlerts.alertsOf(checked({ type: "buy", when }), bars).map(({ at }) => at / MINUTE - 1)

describe("an alert is raised", () => {
  const rows: ReadonlyArray<
    readonly [what: string, when: string, prices: ReadonlyArray<number>, at: ReadonlyArray<number>]
  > = [
    ["where a condition becomes true, once", "close > 5", [1, 6, 7, 1, 8, 8], [1, 4]],
    ["not for what is true at the first candle, until it was false", "close > 5", [6, 7, 1, 8], [3]],
    ["not for what is true once it is warmed up", "sma(close, 3) > 5", [1, 9, 9, 9, 1, 1, 9, 9], [7]],
    ["where a value comes after none", "1 / (close - 5) > 0", [1, 5, 6, 5, 6], [2, 4]],
    ["by a crossing at its candle only", "crossover(close, 5)", [1, 1, 6, 6, 4, 6], [2, 5]],
    ["never for what is always true", "close > 0", [1, 2, 3], []]
  ]
  test.each(rows)("%s", (_, when, prices, at) => expect(raised(when, closes(prices))).toEqual([...at]))

  test("by the candle before that there is, where some are missing", () => {
    const row = (minute: number, close: number) => ({
      ...{ at: minute * MINUTE, open: close, high: close },
      ...{ low: close, close, volume: 1 }
    })
    expect(raised("close > 5", barsOf([row(0, 1), row(9, 6), row(20, 7), row(21, 1), row(50, 6)]))).toEqual([
      9, 50
    ])
  })
  test("not before a longer timeframe has its own candles", () => {
    const prices = Array.from({ length: 40 }, (_, minute) => (minute % 2 === 0 ? 1 : 9))
    expect(raised('close > 5 and request("3m", sma(close, 4)) > 0', closes(prices))[0]).toBe(13)
  })
})

test("an alert says at what time, by which values and with which targets", () => {
  const rule = checked({
    type: "long",
    when: "crossover(close, sma(close, 2)) and rsi(close, 1) > 20 * fast",
    sl: "close - 2 * tr",
    tps: [{ price: "close + 1", percent: 50 }]
  })
  // Wilder's RSI of length 1 is warmed up after 22 candles.
  const prices = [...Array.from({ length: 30 }, (_, index) => 30 - index / 2), 20]
  expect(RuleAlerts.alertsOf(rule, closes(prices))).toEqual([
    {
      entry: 0,
      type: "long",
      at: 31 * MINUTE,
      close: 20,
      values: [
        { text: "close", value: 20 },
        { text: "sma(close, 2)", value: 17.75 },
        { text: "rsi(close, 1)", value: 100 }
      ],
      amounts: new Map([
        ["sl", 11],
        ["tps[0].price", 21]
      ]),
      missing: [],
      withheld: false
    }
  ])
})

test("an entry without its stop is withheld, and an exit closes all the same", () => {
  const none = "1 / (close - close)"
  const rule = checked(
    { type: "buy", when: "close > 5", sl: none },
    { type: "sell", when: "close > 5", closePercent: none },
    { type: "buy", when: "close > 5", sl: "low" }
  )
  const alerts = RuleAlerts.alertsOf(rule, closes([1, 6]))
  expect(alerts.map(({ entry, missing, withheld }) => [entry, missing, withheld])).toEqual([
    [0, ["sl"], true],
    [1, ["closePercent"], false],
    [2, [], false]
  ])
})

test("candle by candle raises the same alerts as all candles at once, and later candles change no earlier alert", () => {
  const { condition, number } = expressions(3)
  const entry = FastCheck.record({
    type: FastCheck.constantFrom("buy" as const, "sell" as const),
    when: condition,
    sl: number
  })
  FastCheck.assert(
    FastCheck.property(FastCheck.array(entry, { minLength: 1, maxLength: 3 }), candles(200), (on, rows) => {
      const rule = SignalRule.check(ruleOf(...on))
      FastCheck.pre(Either.isRight(rule))
      const known = Either.getOrThrow(rule)
      const all = RuleAlerts.alertsOf(known, barsOf(rows))
      const { push } = RuleAlerts.watch(known)
      expect(rows.flatMap(push)).toEqual([...all])
      const half = rows.slice(0, rows.length >> 1)
      const last = (half.at(-1)?.at ?? 0) + MINUTE
      expect([...RuleAlerts.alertsOf(known, barsOf(half))]).toEqual(all.filter(({ at }) => at <= last))
    }),
    { numRuns: 200, seed: SEED }
  )
})

describe("a rule is refused with the field and the column", () => {
  const errorsOf = (rule: Partial<SignalRule.SignalRule>) => {
    const found = SignalRule.check({ ...ruleOf({ type: "buy", when: "close > 1" }), ...rule })
    return Either.isRight(found)
      ? []
      : found.left.map(({ column, field, text }) => `${field} ${column ?? ""} ${text}`)
  }
  const entry = { type: "buy", when: "close > 1" } as const
  const rows: ReadonlyArray<readonly [rule: Partial<SignalRule.SignalRule>, errors: ReadonlyArray<string>]> =
    [
      [{ on: [] }, ["on  must have 1 to 20 entries"]],
      [{ on: Array.from({ length: 21 }, () => entry) }, ["on  must have 1 to 20 entries"]],
      [
        { on: [entry, { ...entry, when: "close >", sl: "close > 1" }] },
        [
          "on[1].when 8 expected a number, a name or (; the expression ends",
          "on[1].sl 7 expected a number; this is a condition"
        ]
      ],
      [
        { on: [{ ...entry, tps: [{ price: "x", percent: 100 }] }] },
        ["on[0].tps[0].price 1 expected a price, a parameter or a function; there is no x"]
      ],
      [
        { params: { close: 1 } },
        ["params.close  has the name of a price, a function or a word of the language"]
      ],
      [
        { params: { "a b": 1 } },
        ["params.a b  must be named by up to 40 letters, digits and _, no digit first"]
      ],
      [{ params: { a: Number.NaN } }, ["params.a  must be a finite number"]],
      [
        { on: [{ ...entry, tp: 50, tps: [{ price: 60, percent: 100 }] }] },
        ["on[0].tps  is a ladder in place of tp: give one of the two"]
      ],
      [
        { on: [{ ...entry, closePercent: 50, buyPercentage: "50 + 51", sl: "1 - 2" }] },
        [
          "on[0].close_percent  goes with sell, close_long and close_short: leave it out of a buy",
          "on[0].sl  must be a price above 0 and at most 1e12",
          "on[0].buy_percentage  must be a percentage from 0 to 100"
        ]
      ],
      [
        {
          on: [
            {
              ...entry,
              tps: [
                { price: 60, percent: 60 },
                { price: 70, percent: 60 }
              ]
            }
          ]
        },
        ["on[0].tps  must close at most 100 percent in all"]
      ],
      [
        { on: [{ ...entry, sl: Number.POSITIVE_INFINITY }] },
        ["on[0].sl 1 expected a price, a parameter or a function; there is no Infinity"]
      ]
    ]
  test.each(rows)("%j", (rule, errors) => expect(errorsOf(rule)).toEqual([...errors]))
})
