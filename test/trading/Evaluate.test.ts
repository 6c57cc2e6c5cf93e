// Values of expressions: against published values and plain definitions, and the same whether candles come at once or
// one by one.
import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Expression from "../../src/domain/signalRule/Expression.ts"
import { make } from "../../src/trading/expressions/Compile.ts"
import * as Evaluate from "../../src/trading/signalRule/Evaluate.ts"
import { barsOf, candles, closes, expressions, read, valuesOf } from "./indicators/drawn.ts"
import { BARS, SPOTS } from "./indicators/talib.ts"

const MINUTE = 60_000
const SEED = 28
/** As TA-Lib's own tests compare: its values are printed to a few digits. */
const PRINTED = 0.01

test("published values of TA-Lib's tests are met", () => {
  const bars = barsOf(
    BARS.map(([open, high, low, close, volume], index) => ({
      at: index * MINUTE,
      open,
      high,
      low,
      close,
      volume
    }))
  )
  for (const [text, bar, value] of SPOTS)
    expect([text, Math.abs((valuesOf(text, bars)[bar] ?? Number.NaN) - value) <= PRINTED]).toEqual([
      text,
      true
    ])
})

describe("lines that touch", () => {
  const rows: ReadonlyArray<readonly [name: string, a: ReadonlyArray<number>, fired: ReadonlyArray<number>]> =
    [
      ["crossover", [1, 1, 1, 2, 2], [3]],
      ["cross", [1, 1, 1, 2, 2], []],
      ["crossunder", [1, 1, 1, 0.5, 0.5], [3]],
      ["cross", [0.5, 0.5, 1, 1, 2], [4]],
      ["cross", [2, 2, 1, 1, 0.5], [4]],
      ["crossover", [2, 2, 1, 2], [3]],
      ["cross", [2, 2, 1, 2], []],
      ["cross", [2, 0.5, 2, 0.5], [1, 2, 3]]
    ]
  test.each(rows)("%s of %j with 1 fires at %j, as measured on TradingView", (name, a, fired) => {
    const values = valuesOf(`${name}(close, 1)`, closes(a), "boolean")
    expect(values.flatMap((value, row) => (value === 1 ? [row] : []))).toEqual([...fired])
  })
})

describe("windows are what their definitions say, for random candles", () => {
  const newest = (values: ReadonlyArray<number>, row: number, length: number) =>
    row + 1 < length ? undefined : values.slice(row + 1 - length, row + 1)
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, it) => sum + it, 0) / values.length
  const definitions: Record<string, (window: ReadonlyArray<number>) => number> = {
    sma: mean,
    wma: (window) =>
      window.reduce((sum, it, index) => sum + it * (index + 1), 0) /
      ((window.length * (window.length + 1)) / 2),
    stdev: (window) => Math.sqrt(mean(window.map((it) => (it - mean(window)) ** 2))),
    highest: (window) => Math.max(...window),
    lowest: (window) => Math.min(...window)
  }
  for (const [name, definition] of Object.entries(definitions)) {
    test(`${name} over 1 to 40 candles`, () => {
      FastCheck.assert(
        FastCheck.property(candles(90), FastCheck.integer({ min: 1, max: 40 }), (rows, length) => {
          const got = valuesOf(`${name}(close, ${length})`, barsOf(rows))
          const prices = rows.map(({ close }) => close)
          for (const [row, value] of got.entries()) {
            const window = newest(prices, row, length)
            if (window === undefined) expect(value).toBeNaN()
            else expect(value).toBeCloseTo(definition(window), 9)
          }
        }),
        { numRuns: 60, seed: SEED }
      )
    })
  }
  test("a sum forgets a huge value as soon as it has left the window", () => {
    const values = valuesOf("sma(close, 3)", closes([1, 1e18, 1, 1, 1, 1]))
    expect(values.slice(4)).toEqual([1, 1])
  })
  test("equal prices have no deviation at all", () =>
    expect(valuesOf("stdev(close, 4)", closes([9, 7.1, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3])).slice(5)).toEqual([
      0, 0, 0
    ]))
})

const numbers = expressions(4).number
const conditions = expressions(4).condition
const either = FastCheck.oneof(
  FastCheck.tuple(numbers, FastCheck.constant("number" as const)),
  FastCheck.tuple(conditions, FastCheck.constant("boolean" as const))
)
const RUNS = { numRuns: 250, seed: SEED }

/** Some random expressions are refused, such as `1 / 0`. */
const readable = (text: string, type: Expression.Type) =>
  Either.isRight(
    Expression.read(text, type, {
      params: new Map([
        ["fast", 3],
        ["slow", 7]
      ]),
      timeframe: "1m"
    })
  )

describe("for random expressions and candles", () => {
  test("candle by candle gives the same bits as all at once, and an unfinished candle changes nothing", () => {
    FastCheck.assert(
      FastCheck.property(either, candles(120), ([text, type], rows) => {
        FastCheck.pre(readable(text, type))
        const stream = Evaluate.stream(read(text, type), "1m")
        const got = rows.map((bar, index) => {
          const other = rows[(index * 7) % rows.length] ?? bar
          stream.replace({ ...other, at: bar.at })
          stream.replace({ ...bar, high: bar.high + 3, close: bar.high + 3, volume: 9 })
          const unfinished = stream.replace(bar)
          const closed = stream.push(bar)
          expect(unfinished).toEqual(closed)
          return closed
        })
        expect(got).toEqual(valuesOf(text, barsOf(rows), type))
      }),
      RUNS
    )
  })
  test("later candles change no earlier value", () => {
    FastCheck.assert(
      FastCheck.property(either, candles(120), FastCheck.nat(120), ([text, type], rows, cut) => {
        FastCheck.pre(readable(text, type))
        const all = valuesOf(text, barsOf(rows), type)
        expect(valuesOf(text, barsOf(rows.slice(0, cut)), type)).toEqual(all.slice(0, cut))
      }),
      RUNS
    )
  })
  test("no value is infinite, and a condition is true or false", () => {
    FastCheck.assert(
      FastCheck.property(either, candles(60), ([text, type], rows) => {
        FastCheck.pre(readable(text, type))
        for (const value of valuesOf(text, barsOf(rows), type)) {
          expect(Math.abs(value)).not.toBe(Number.POSITIVE_INFINITY)
          if (type === "boolean") expect([0, 1]).toContain(value)
        }
      }),
      RUNS
    )
  })
})

test("no expression looks back further than its check says, which bounds it", () => {
  FastCheck.assert(
    FastCheck.property(either, ([text, type]) => {
      FastCheck.pre(readable(text, type))
      const checked = read(text, type)
      expect(make("1m").add(checked).first - 1).toBeLessThanOrEqual(checked.lookback)
    }),
    RUNS
  )
})

test("blocks change nothing: candles over many of them give the same bits as one by one", () => {
  let seed = 7
  const rows = Array.from({ length: 2_000 }, (_, index) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
    const close = 100 + ((seed >>> 8) % 1_000) / 100
    return {
      at: index * MINUTE,
      open: close,
      high: close + 1,
      low: close - 1,
      close,
      volume: (seed >>> 4) % 9
    }
  })
  const text = 'ema(close, 300) + sma(close, 700)[600] + request("15m", rsi(close, 14)) + highest(513) + obv'
  const stream = Evaluate.stream(read(text), "1m")
  expect(rows.map(stream.push)).toEqual(valuesOf(text, barsOf(rows)))
})

describe("no value", () => {
  const bars = closes([1, 2, 3, 4, 5])
  const rows: ReadonlyArray<readonly [text: string, value: number]> = [
    ["close / (close - 3) > 0", 0],
    ["close / (close - 3) < 0", 0],
    ["close / (close - 3) == close / (close - 3)", 0],
    ["close / (close - 3) != 1", 0],
    ["not (close / (close - 3) > 0)", 1],
    ["1 / (close / (close - 3)) >= 0", 0],
    ["close % (close - 3) >= 0", 0],
    ["close * 1e308 * 1e308 > 0", 0],
    ["sma(close, 5) > 0", 0],
    ["crossover(close, sma(close, 3))", 0],
    ["(close > 0)[4]", 0]
  ]
  test.each(rows)("makes %s %p", (text, value) => expect(valuesOf(text, bars, "boolean")[2]).toBe(value))
  test("is passed over by averages, which go on with the next one", () => {
    const text = "sma(1 / (close - 3), 2)"
    expect(valuesOf(text, bars)).toEqual([Number.NaN, -0.75, Number.NaN, 0, 0.75])
  })
})

describe("a longer timeframe", () => {
  const at = [0, 1, 2, 3, 4, 5, 6, 8, 11, 12]
  const bars = barsOf(
    at.map((minute) => ({
      at: minute * MINUTE,
      open: minute,
      high: minute,
      low: minute,
      close: minute,
      volume: 1
    }))
  )
  const none = Number.NaN
  test("counts from the candle that completes it, or the first one after it where that is missing", () =>
    expect(valuesOf('request("5m", close)', bars)).toEqual([none, none, none, none, 4, 4, 4, 4, 8, 8]))
  test("is built of all of its candles", () =>
    expect(valuesOf('request("5m", volume)', bars)).toEqual([none, none, none, none, 5, 5, 5, 5, 3, 3]))
  test("leaves out a candle whose beginning is missing", () =>
    expect(
      valuesOf(
        'request("3m", close)',
        barsOf(
          at.slice(1).map((minute) => ({
            ...{ at: minute * MINUTE, open: 1, high: minute, low: 0 },
            close: minute,
            volume: 1
          }))
        )
      )
    ).toEqual([none, none, none, none, 5, 5, 8, 11, 11]))
})

describe("the warm-up", () => {
  const rows: ReadonlyArray<readonly [text: string, candles: number, anchored?: boolean]> = [
    ["close", 1],
    ["sma(close, 20)", 20],
    ["close[5]", 6],
    ["ema(close, 20)", 220],
    ["rma(close, 14)", 294],
    ["rsi(close, 14)", 295],
    ["atr(14)", 294],
    ["macd(close, 12, 26, 9).histogram", 11 * 26 + 11 * 9 - 1],
    ["sma(ema(close, 10), 5)", 114],
    ["vwap", 1441],
    ["obv", 2, true],
    ["supertrend(3, 10)", 210, true],
    ["sar(0.02, 0.02, 0.2)", 2, true],
    ["barssince(close > open)", 1, true]
  ]
  test.each(rows)("of %s is %p candles", (text, candles, anchored = false) =>
    expect(Evaluate.stream(read(text, text.startsWith("(") ? "boolean" : "number"), "1m").warmups).toEqual([
      { timeframe: "1m", candles, anchored }
    ])
  )
  test("of a longer timeframe is told in its own candles", () =>
    expect(Evaluate.stream(read('sma(request("1h", ema(close, 10)), 3)'), "1m").warmups).toEqual([
      { timeframe: "1m", candles: 3, anchored: false },
      { timeframe: "1h", candles: 110, anchored: false }
    ]))
  test("is long enough: what came before weighs less than 1e-9", () => {
    const one = Array.from({ length: 400 }, (_, index) => 100 + Math.sin(index))
    for (const [text, candles] of [
      ["ema(close, 20)", 220],
      ["rma(close, 14)", 294],
      ["rsi(close, 14)", 295]
    ] as const) {
      const long = valuesOf(text, closes(one)).at(-1) ?? 0
      const short = valuesOf(text, closes(one.slice(-candles))).at(-1) ?? 0
      expect(Math.abs(long - short)).toBeLessThan(1e-9 * 100)
    }
  })
})

test("the work of a window does not grow with its length", () => {
  const rows = closes(Array.from({ length: 60_000 }, (_, index) => 100 + Math.sin(index / 50)))
  const time = (text: string) => {
    const started = performance.now()
    valuesOf(text, rows)
    return performance.now() - started
  }
  for (const name of ["sma", "wma", "stdev", "highest"]) {
    time(`${name}(close, 10)`)
    const short = Math.min(...[1, 2, 3].map(() => time(`${name}(close, 10)`)))
    const long = Math.min(...[1, 2, 3].map(() => time(`${name}(close, 4999)`)))
    expect(long).toBeLessThan(20 * short + 20)
  }
})
