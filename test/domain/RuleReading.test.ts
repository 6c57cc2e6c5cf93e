// Rules as people and strangers write them: what is taken, what is refused and where, and that nothing hostile costs much.
import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import type { Checked } from "../../src/domain/expression/Checked.ts"
import type { RuleDocument } from "../../src/domain/signalRule/RuleDocument.ts"
import { inWords } from "../../src/domain/signalRule/RuleError.ts"
import { meaningOf } from "../../src/domain/signalRule/RuleMeaning.ts"
import { heldBy } from "../../src/domain/signalRule/RuleMemory.ts"
import { MAX_RULE_CHARACTERS, read, readText } from "../../src/domain/signalRule/RuleReading.ts"
import * as Fixtures from "../../src/testing/Fixtures.ts"
import * as RuleAlerts from "../../src/trading/signalRule/RuleAlerts.ts"
import { expressions, read as readExpression } from "../trading/indicators/drawn.ts"

const SEED = 28
const RULE = {
  markets: [{ exchange: "binance", kind: "spot", pairs: ["BTC/USDT", "ETH/USDT"] }],
  timeframe: "1h",
  params: { fast: 9, slow: 21 },
  on: [
    {
      type: "buy",
      when: "crossover(ema(close, fast), ema(close, slow)) and rsi(close, 14) < 70",
      sl: "close - 2 * atr(14)"
    },
    { type: "sell", when: "crossunder(ema(close, fast), ema(close, slow))" }
  ],
  schedule: [{ type: "buy", cron: "0 9 * * 1", timezone: "UTC" }]
} as const

const documentOf = (value: unknown): RuleDocument => Either.getOrThrow(read(value)).document
const errorsOf = (value: unknown): ReadonlyArray<string> => {
  const found = read(value)
  return Either.isLeft(found) ? found.left.map(inWords) : []
}
const pairs = (count: number) => Array.from({ length: count }, (_, index) => `A${index}/USDT`)
const entries = (count: number, when: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => ({ type: "buy", when: when(index) }))

describe("a rule", () => {
  test("is read as it is written, and read again to the same", () => {
    expect(documentOf(RULE)).toEqual(documentOf(documentOf(RULE)))
    expect(JSON.stringify(documentOf(RULE))).toBe(JSON.stringify(RULE))
    expect(Either.getOrThrow(readText(JSON.stringify(RULE, undefined, 4))).document).toEqual(documentOf(RULE))
  })
  test("has its exchanges by their ids, and nothing that is null", () => {
    const { params, schedule, ...rest } = RULE
    const loose = {
      ...rest,
      markets: [{ exchange: "OKEx", pairs: ["BTC/USDT"] }],
      on: [{ type: "buy", when: "close > 1", sl: null }],
      schedule: null
    }
    expect(documentOf(loose)).toEqual({
      markets: [{ exchange: "okx", kind: "spot", pairs: Fixtures.rule().markets[0]?.pairs ?? [] }],
      timeframe: "1h",
      params: {},
      on: [{ type: "buy", when: "close > 1" }],
      schedule: []
    })
  })
  test("means the same however it is spaced and ordered, and something else with another number", () => {
    const meaning = (changes: object) => meaningOf(documentOf({ ...RULE, ...changes }))
    const on = [
      { type: "buy", when: "ta.ema( close,9)>(1)", sl: 5 },
      { type: "sell", when: "close<1" }
    ]
    const same = [
      { sl: "5", when: "ema(close, 9) > 1", type: "buy" },
      { type: "sell", when: "close < (1)" }
    ]
    expect(meaning({ on })).toBe(meaning({ on: same, params: { slow: 21, fast: 9 } }))
    expect(meaning({ on, witness: "tell" })).toBe(meaning({ on, witness: "tell", witness_seconds: 90 }))
    expect(meaning({ on, witness: null })).toBe(meaning({ on }))
    expect(meaning({ on })).toBe(
      meaning({
        on,
        markets: ["ETH/USDT", "BTC/USDT"].map((pair) => ({ exchange: "binance", pairs: [pair] }))
      })
    )
    const others = [
      { params: { fast: 10, slow: 21 } },
      { timeframe: "4h" },
      { schedule: [] },
      { on: on.toReversed() },
      { witness: "tell" },
      { witness: "stand_in" },
      { witness: "stand_in", witness_seconds: 60 }
    ]
    expect(new Set([{}, ...others].map((it) => meaning({ on, ...it }))).size).toBe(others.length + 1)
  })
})

describe("a rule is refused with its field and its column", () => {
  const rows: ReadonlyArray<readonly [name: string, value: unknown, errors: ReadonlyArray<string>]> = [
    ["nothing", null, ["must be an object with markets, timeframe and on"]],
    ["a list", [], ["must be an object with markets, timeframe and on"]],
    ["an empty one", {}, ["markets is required", "timeframe is required", "on is required"]],
    [
      "an expression that ends early",
      { ...RULE, on: [{ type: "buy", when: "close > ema(close, fast" }] },
      ["on[0].when: column 24: expected ) or a comma"]
    ],
    [
      "a misspelt name, which is not echoed",
      { ...RULE, on: [{ type: "buy", when: "close > secret" }] },
      ["on[0].when: column 9: expected a price, a parameter or a function"]
    ],
    [
      "a misspelt field, which would lose a stop",
      { ...RULE, on: [{ type: "buy", when: "close > 1", s1: 5 }] },
      ["on[0] has a field that no rule has: did you mean sl?"]
    ],
    ["a witness that there is not", { ...RULE, witness: "shout" }, ["witness must be one of tell, stand_in"]],
    [
      "seconds without a witness",
      { ...RULE, witness_seconds: 60 },
      ["witness_seconds needs a witness: tell or stand_in"]
    ],
    ...[9, 241, 60.5].map(
      (witness_seconds) =>
        [
          `a witness of ${witness_seconds} seconds`,
          { ...RULE, witness: "tell", witness_seconds },
          ["witness_seconds must be a whole number from 10 to 240"]
        ] as const
    ),
    [
      "wrong types",
      { ...RULE, timeframe: "8h", params: { fast: "9" }, on: [{ type: "hold", when: true }] },
      [
        "timeframe must be one of 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 12h, 1d",
        "params: a name must be a number",
        "on[0].type must be one of buy, sell, long, short, close_long, close_short",
        "on[0].when must be a text"
      ]
    ],
    ["no market", { ...RULE, markets: [] }, ["markets must have 1 to 200 pairs in all"]],
    [
      "201 markets",
      { ...RULE, markets: [{ exchange: "binance", pairs: pairs(201) }] },
      ["markets must have 1 to 200 pairs in all"]
    ],
    [
      "a market twice",
      { ...RULE, markets: [RULE.markets[0], { exchange: "Binance", pairs: ["ETH/USDT"] }] },
      ["markets must name each market once"]
    ],
    ["no entry", { ...RULE, on: [] }, ["on must have 1 to 20 entries"]],
    ["21 entries", { ...RULE, on: entries(21, () => "close > 1") }, ["on must have at most 20 entries"]],
    [
      "21 times",
      { ...RULE, schedule: Array.from({ length: 21 }, () => RULE.schedule[0]) },
      ["schedule must have at most 20 entries"]
    ],
    [
      "times that are none",
      {
        ...RULE,
        schedule: ["0 0 30 2 *", "* * * * * *", "61 * * * *"].map((cron) => ({ ...RULE.schedule[0], cron }))
      },
      [0, 1, 2].map(
        (index) =>
          `schedule[${index}].cron must be five fields of cron that come true: minute, hour, day of month, month, day of week, such as "0 9 * * 1"`
      )
    ],
    [
      "a time zone that is none",
      { ...RULE, schedule: [{ ...RULE.schedule[0], timezone: "Mars/Olympus" }] },
      ["schedule[0].timezone must be a time zone, such as UTC or Europe/Berlin"]
    ],
    [
      "51 params",
      {
        ...RULE,
        on: entries(1, () => "close > 1"),
        params: Object.fromEntries(pairs(51).map((_, at) => [`p${at}`, at]))
      },
      ["params may have at most 50 names"]
    ],
    [
      "__proto__ as a param",
      { ...RULE, params: JSON.parse('{"__proto__":1}') },
      ["params has a name that is reserved"]
    ],
    [
      "names of the language as params",
      { ...RULE, params: { fast: 1, slow: 2, ema: 3 } },
      ["params: a name has the name of a price, a function or a word of the language"]
    ]
  ]
  test.each(rows)("%s", (_, value, errors) => expect(errorsOf(value)).toEqual([...errors]))

  test("names of prototypes are names like any other", () => {
    const rule = {
      ...RULE,
      params: { constructor: 3, toString: 5 },
      on: entries(1, () => "close[constructor] > toString")
    }
    expect(documentOf(rule).params).toEqual({ constructor: 3, toString: 5 })
  })
})

describe("hostile rules cost little", () => {
  const quick = (work: () => unknown): void => {
    const started = performance.now()
    work()
    expect(performance.now() - started).toBeLessThan(1_500)
  }
  const long = (index: number) => `close > ${"1 + ".repeat(95)}${index}`.padEnd(2_000)
  test("20 entries of 2,000 characters are taken, and longer rules are not", () => {
    quick(() => expect(errorsOf({ ...RULE, on: entries(20, long) })).toEqual([]))
    const longer = entries(20, long).map((entry) => ({ ...entry, sl: long(1).slice(8) }))
    quick(() =>
      expect(errorsOf({ ...RULE, on: longer })).toEqual([
        `must have at most ${MAX_RULE_CHARACTERS} characters as JSON`
      ])
    )
    quick(() => expect(Either.isLeft(readText(" ".repeat(2 ** 20)))).toBe(true))
    quick(() => expect(Either.isLeft(readText("[".repeat(900_000)))).toBe(true))
    quick(() =>
      expect(Either.isLeft(read({ ...RULE, markets: [{ exchange: "x".repeat(60_000), pairs: [] }] }))).toBe(
        true
      )
    )
  })
  test("memory is bounded over all entries and markets together", () => {
    const wide = (count: number, length: number) => ({
      ...RULE,
      markets: [{ exchange: "binance", pairs: pairs(count) }],
      on: entries(20, (index) => `close > bb(close, ${length + index}, 2).upper`)
    })
    expect(errorsOf(wide(200, 20))).toEqual([])
    expect(errorsOf(wide(10, 4_900))).toEqual([])
    expect(errorsOf(wide(200, 4_900))[0]).toStartWith("would keep 119")
  })
  test("a rule keeps no more numbers than are counted", () => {
    const { condition, number } = expressions(4)
    const deep = FastCheck.constantFrom(
      ...["sma(close, 999)", "bb(close, 999, 2).upper", "stoch(close, high, low, 999)", "cci(close, 999)"],
      ...[
        "mfi(close, 999)",
        "donchian(999).upper",
        "wma(close, 999)",
        "change(close, 999)",
        "roc(close, 999)"
      ],
      ...[
        "dmi(999, 999).adx",
        "keltner(close, 999, 2).upper",
        "supertrend(3, 999)",
        "macd(close, 999, 998, 997)"
      ],
      ...[
        "rsi(close, 999)",
        "close[999]",
        "highest(999)",
        "sma(vwap, 999)",
        "stdev(hlc3, 999)",
        "obv",
        "atr(999)"
      ],
      ...['request("5m", sma(close, 999))', "sar(0.02, 0.02, 0.2)", "barssince(rising(close, 999))"]
    )
    FastCheck.assert(
      FastCheck.property(condition, FastCheck.oneof(number, deep), (when, amount) => {
        const [checked, value] = [readExpression(when, "boolean"), readExpression(amount)]
        const rule = ruleOf(checked, value)
        expect(allocatedBy(() => RuleAlerts.watch(rule))).toBeLessThanOrEqual(heldBy(rule))
      }),
      { numRuns: 500, seed: SEED }
    )
  })

  test("any value gives a rule or errors that quote nothing of it, and quickly", () => {
    const secret = "sEcReT"
    const texts = FastCheck.oneof(
      FastCheck.string({ maxLength: 200, unit: "binary" }),
      FastCheck.constantFrom(`${secret}(`, `close.${secret}`, `1 ${secret}`, `"${secret}"`, `(((((${secret}`)
    )
    FastCheck.assert(
      FastCheck.property(texts, (when) => {
        for (const text of errorsOf({ ...RULE, on: [{ type: "buy", when, sl: when }] }))
          expect(text).not.toContain(secret)
      }),
      { numRuns: 500, seed: SEED }
    )
    const anything = FastCheck.anything({ values: [texts, FastCheck.double()], withNullPrototype: true })
    const field = FastCheck.oneof(anything, texts, FastCheck.constantFrom("buy", 5, "close > open"))
    const entry = FastCheck.record(
      {
        type: FastCheck.constantFrom("buy", "sell", secret),
        when: texts,
        sl: field,
        tps: field,
        [secret]: field
      },
      { requiredKeys: ["type", "when"] }
    )
    const rules = FastCheck.record({
      markets: FastCheck.oneof(FastCheck.constant(RULE.markets), anything),
      timeframe: FastCheck.constantFrom("1h", secret),
      params: FastCheck.oneof(FastCheck.dictionary(texts, field), anything),
      on: FastCheck.oneof(FastCheck.array(entry, { maxLength: 4 }), anything),
      schedule: FastCheck.oneof(
        FastCheck.array(FastCheck.record({ type: FastCheck.constant("buy"), cron: texts, timezone: texts })),
        anything
      )
    })
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(rules, anything), (value) =>
        quick(() => {
          for (const text of errorsOf(value)) {
            expect(text).not.toContain(secret)
            expect(text.length).toBeLessThan(400)
          }
        })
      ),
      { numRuns: 1_000, seed: SEED }
    )
  })
})

const ruleOf = (when: Checked, amount: Checked) => ({
  timeframe: "1m" as const,
  entries: [
    {
      entry: { type: "buy" as const, when: "" },
      when,
      parts: [],
      amounts: [{ field: "sl", value: amount }]
    }
  ]
})

/** How many numbers the columns hold that `work` makes. */
const allocatedBy = (work: () => unknown): number => {
  const Original = globalThis.Float64Array
  let numbers = 0
  globalThis.Float64Array = new Proxy(Original, {
    construct: (target, [length]) => {
      numbers += Number(length)
      return new target(length)
    }
  })
  try {
    work()
  } finally {
    globalThis.Float64Array = Original
  }
  return numbers
}
