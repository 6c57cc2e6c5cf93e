// The language of expressions: what it reads as in Pine, what it refuses and where, and that nothing hostile gets
// further than a typed error.
import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { FUNCTION_NAMES, FUNCTIONS } from "../../src/domain/expression/Functions.ts"
import * as Expression from "../../src/domain/signalRule/Expression.ts"
import { expressions } from "../trading/indicators/drawn.ts"

const SURROUNDINGS: Expression.Surroundings = {
  params: new Map([
    ["fast", 3],
    ["slow", 7]
  ]),
  timeframe: "1h"
}
const SEED = 28

const treeOf = (text: string): Expression.Syntax => Either.getOrThrow(Expression.syntax(text))

/** The error as `column: text`; empty if there is none. */
const errorOf = (text: string, type: Expression.Type = "boolean"): string => {
  const read = Expression.read(text, type, SURROUNDINGS)
  return Either.isLeft(read) ? `${read.left.column}: ${read.left.text}` : ""
}

/** A tree without its columns. */
const bare = (tree: Expression.Syntax): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value) => (key === "column" ? undefined : value)))

describe("operators bind as in Pine", () => {
  const rows: ReadonlyArray<readonly [text: string, same: string]> = [
    ["a + b * c", "a + (b * c)"],
    ["a - b - c", "(a - b) - c"],
    ["a / b % c", "(a / b) % c"],
    ["-a * b", "(-a) * b"],
    ["-a[1]", "-(a[1])"],
    ["not a and b", "(not a) and b"],
    ["a or b and c", "a or (b and c)"],
    ["a > b == c < d", "(a > b) == (c < d)"],
    ["a + b > c and d", "((a + b) > c) and d"],
    ["a ? b : c ? d : e", "a ? b : (c ? d : e)"],
    ["a ? b ? c : d : e", "a ? (b ? c : d) : e"],
    ["a or b ? c + 1 : d", "(a or b) ? (c + 1) : d"],
    ["ta.ema(close, 3)[1]", "(ema(close, 3))[1]"],
    ["math.max(a, b)", "max(a, b)"],
    ["macd(a, 1, 2, 3).line[1]", "((macd(a, 1, 2, 3)).line)[1]"]
  ]
  test.each(rows)("%s is %s", (text, same) => expect(bare(treeOf(text))).toEqual(bare(treeOf(same))))
})

describe("each error names its column and what was expected", () => {
  const rows: ReadonlyArray<readonly [text: string, error: string]> = [
    ["", "1: expected a number, a name or (; the expression ends"],
    ["close >", "8: expected a number, a name or (; the expression ends"],
    ["close > open)", "13: expected an operator or the end; found )"],
    ["(close > open", "14: expected ) to close the bracket; the expression ends"],
    ["close = open", "7: expected == to compare: an expression assigns nothing"],
    ["close > open ! low", "14: expected != or not"],
    ["close > öpen", "9: expected a number, a name or an operator"],
    ["close", "1: expected a condition, such as close > open; this is a number"],
    [
      "not close > open",
      "5: expected a condition after not; put a comparison into brackets, as not (close > open)"
    ],
    ["close and open > 1", "1: expected a condition, such as close > open; this is a number"],
    ["1 < close < 3", "3: expected a number; this is a condition"],
    [
      "clsoe > open",
      "1: expected a price, a parameter or a function; there is no clsoe; did you mean close?"
    ],
    ["close > sam(close, 3)", "9: expected a price, a parameter or a function; there is no sam"],
    ["close > sma(close)", "9: expected sma(source, length): length is missing"],
    ["close > sma(close, 3, 4)", "23: expected ): sma takes source, length"],
    ["close > sma", "9: expected ( after sma, as in sma(source, length)"],
    [
      "close > sma(close, 0)",
      "20: expected a whole number from 1 to 5000 as length, or a parameter that has one"
    ],
    [
      "close > sma(close, 2.5)",
      "20: expected a whole number from 1 to 5000 as length, or a parameter that has one"
    ],
    [
      "close > sma(close, volume)",
      "20: expected a whole number from 1 to 5000 as length, or a parameter that has one"
    ],
    ["close > macd(close, 12, 26, 9).hist", "32: expected one of .line, .signal, .histogram after macd(...)"],
    [
      "close > bb(close, 20, 2)",
      "9: expected one of .middle, .upper, .lower, .width, .percent_b after bb(...)"
    ],
    ["close > rsi(close, 3).line", "23: expected no output to be named: rsi has one only"],
    ["close > (open).line", "16: expected a function with several outputs before the point"],
    [
      "close > bb(close, 20, volume).upper",
      "23: expected a number or a parameter as mult: it cannot change from candle to candle"
    ],
    ["close > 1 / 0", "11: expected a result; this divides by zero or is too large"],
    ["close > 1e999", "9: expected a number below 1.8e308"],
    [
      "close[-1] > 1",
      "7: expected a whole number from 0 to 5000 as the number of candles back, or a parameter that has one"
    ],
    ["close[1e9] > 1", "7: expected a whole number from 0 to 5000"],
    ["close[3000][3000] > 1", "12: expected to look back at most 5000 candles; this looks back 6000"],
    [
      "sma(sma(close, 3000), 3000) > 1",
      "1: expected to look back at most 5000 candles; this looks back 6000"
    ],
    ['close > "4h"', "9: expected a number or a condition: a timeframe stands in request only"],
    ["request(4h, close) > 1", "10: expected ) or a comma; found h"],
    ['request("7h", close) > 1', '9: expected a timeframe in quotes, such as "4h"'],
    ['request("1h", close) > 1', "9: expected a longer timeframe, a multiple of 1h"],
    ['request("15m", close) > 1', "9: expected a longer timeframe, a multiple of 1h"],
    ['request("4h", request("1d", close)) > 1', "15: expected no request within another one"],
    ["__proto__ > 1", "1: expected a price, a parameter or a function; there is no __proto__"],
    ["constructor > 1", "1: expected a price, a parameter or a function; there is no constructor"],
    ["toString() > 1", "1: expected a price, a parameter or a function; there is no toString"],
    ["macd(close, 12, 26, 9).constructor > 1", "24: expected one of .line, .signal, .histogram"],
    ["close.__proto__ > 1", "7: expected a function with several outputs before the point"],
    [
      "hasOwnProperty(close, 1) > 1",
      "1: expected a price, a parameter or a function; there is no hasOwnProperty"
    ]
  ]
  test.each(rows)("%s: %s", (text, error) => expect(errorOf(text)).toStartWith(error))
})

describe("hostile expressions end at a bound", () => {
  const rows: ReadonlyArray<readonly [name: string, text: string, error: string]> = [
    [
      "2,001 characters",
      `${" ".repeat(2_000)}1`,
      "2001: expected the end: an expression has at most 2000 characters"
    ],
    ["900 brackets", "(".repeat(900), "65: expected less nesting: at most 64 levels"],
    ["900 signs", `${"-".repeat(900)}1`, "65: expected less nesting: at most 64 levels"],
    ["900 conditions", "1?".repeat(900), "129: expected less nesting: at most 64 levels"],
    ["900 histories", "close[".repeat(300), "385: expected less nesting: at most 64 levels"],
    [
      "300 sums",
      Array.from({ length: 301 }, () => "1").join("+"),
      "200: expected the end: an expression has at most 200 parts"
    ],
    [
      "300 inputs",
      `max(${Array.from({ length: 301 }, () => "1").join()})`,
      "405: expected the end: an expression has at most 200 parts"
    ],
    [
      "a name of 1,999 letters",
      "x".repeat(1_999),
      "1: expected a price, a parameter or a function; there is no x"
    ]
  ]
  test.each(rows)("%s", (_, text, error) => expect(errorOf(text)).toStartWith(error))

  const alphabet = FastCheck.constantFrom(
    ..."()[],.?:+-*/%<>=!'\"019eE_ \n".split(""),
    ...[
      "close",
      "ema(",
      "not ",
      " and ",
      "request(",
      '"4h"',
      "macd(",
      ".line",
      "[1]",
      "ta.",
      "1e9",
      "__proto__",
      "ö",
      "\0",
      "\ud800"
    ]
  )
  test("any text gives a tree or an error at a column of it, and quickly", () => {
    const texts = FastCheck.oneof(
      FastCheck.array(alphabet, { maxLength: 400, size: "max" }).map((parts) => parts.join("")),
      FastCheck.string({ maxLength: 300, unit: "binary" })
    )
    FastCheck.assert(
      FastCheck.property(texts, (text) => {
        const started = performance.now()
        const read = Expression.read(text, "boolean", SURROUNDINGS)
        expect(performance.now() - started).toBeLessThan(250)
        if (Either.isRight(read)) return
        expect(read.left.column).toBeGreaterThanOrEqual(1)
        expect(read.left.column).toBeLessThanOrEqual(Math.max(text.length, 2_000) + 1)
        expect(read.left.text).toStartWith("expected ")
      }),
      { numRuns: 3_000, seed: SEED }
    )
  })
})

describe("a tree that is written", () => {
  const { condition, number } = expressions(5)
  test("gives the same tree when it is read, and is written the same again", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(condition, number), (text) => {
        const tree = Expression.syntax(text)
        FastCheck.pre(Either.isRight(tree))
        const written = Expression.format(Either.getOrThrow(tree))
        expect(bare(treeOf(written))).toEqual(bare(Either.getOrThrow(tree)))
        expect(Expression.format(treeOf(written))).toBe(written)
      }),
      { numRuns: 500, seed: SEED }
    )
  })
  const rows = [
    "(ta).x",
    "(2).x",
    "(2)[1]",
    "(-a)[1]",
    "(a ? b : c) ? d : e",
    "a - (b - c)",
    "not not a",
    "- -a",
    "(not a) > b"
  ]
  test.each(rows)("%s keeps the brackets that it needs", (text) =>
    expect(bare(treeOf(Expression.format(treeOf(text))))).toEqual(bare(treeOf(text)))
  )
})

describe("words say what an expression does", () => {
  const rows: ReadonlyArray<readonly [text: string, words: string]> = [
    [
      "crossover(ema(close, fast), ema(close, slow)) and rsi(close, 14) < 70",
      "the exponential average of the close over 3 candles crosses above the exponential average of the close over 7 candles and the RSI of the close over 14 candles is below 70"
    ],
    [
      "close > donchian(20).upper[1]",
      "the close is above the upper line of the Donchian channel over 20 candles one candle before"
    ],
    [
      "not (close > open or low < 3)",
      "it is not so that (the close is above the open or the low is below 3)"
    ],
    [
      'request("4h", close > sma(close, 50))',
      "the close is above the average of the close over 50 candles at the last closed 4h candle"
    ],
    ["macd(close, 12, 26, 9) > 0", "the MACD line of the close (12, 26, 9) is above 0"],
    [
      "max(high, low, 3) > (close > 1 ? 2 : 3)",
      "the highest of the high, the low and 3 is above (2 if the close is above 1, otherwise 3)"
    ]
  ]
  test.each(rows)("%s", (text, words) =>
    expect(Expression.describe(Either.getOrThrow(Expression.read(text, "boolean", SURROUNDINGS)))).toBe(words)
  )
  test("no function leaves a brace in its words", () => {
    for (const name of FUNCTION_NAMES) {
      const { outputs = [], parameters } = FUNCTIONS[name]
      const given = parameters.map(({ kind }) =>
        kind === "timeframe"
          ? '"4h"'
          : kind === "condition"
            ? "close > open"
            : kind === "flag"
              ? "true"
              : kind === "number" || kind === "any"
                ? "close"
                : "3"
      )
      const text = `${name}(${given.join(", ")})${outputs[0] === undefined ? "" : `.${outputs[0]}`}`
      const type = FUNCTIONS[name].type === "boolean" ? "boolean" : "number"
      const words = Expression.describe(Either.getOrThrow(Expression.read(text, type, SURROUNDINGS)))
      expect(words).not.toMatch(/[{}]/)
    }
  })
})

describe("an editor is offered", () => {
  const labels = (text: string) =>
    Expression.complete(text, text.length, SURROUNDINGS.params).map(({ label }) => label)
  test("names that begin with what is written", () => {
    expect(labels("crosso")).toEqual(["crossover"])
    expect(labels("close > f")).toEqual(["fast", "falling", "false"])
    expect(labels("ta.stoc")).toEqual(["stoch"])
  })
  test("the outputs of the function before a point, and nothing after another point", () => {
    expect(labels("macd(close, 12, (26), 9).")).toEqual(["line", "signal", "histogram"])
    expect(labels("supertrend(3, 10).d")).toEqual(["direction"])
    expect(labels("close.")).toEqual([])
    expect(labels("). ")).not.toEqual([])
  })
  test("each function with its inputs, and what to replace", () => {
    const [offer] = Expression.complete("close > chang", 13, new Map())
    expect(offer).toMatchObject({ insert: "change(", from: 8, detail: "change(source, length = 1)" })
  })
  test("something at any place of any text, without a throw", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ maxLength: 40 }), FastCheck.nat(50), (text, place) => {
        expect(Array.isArray(Expression.complete(text, place, SURROUNDINGS.params))).toBe(true)
      }),
      { numRuns: 500, seed: SEED }
    )
  })
})
