// Random candles and random expressions, and an expression's values.
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Expression from "../../../src/domain/signalRule/Expression.ts"
import * as Evaluate from "../../../src/trading/signalRule/Evaluate.ts"

const MINUTE = 60_000

/** An expression of one-minute candles, with the parameters `fast` = 3 and `slow` = 7. */
export const read = (text: string, type: Expression.Type = "number"): Expression.Checked => {
  const params = new Map([
    ["fast", 3],
    ["slow", 7]
  ])
  const checked = Expression.read(text, type, { params, timeframe: "1m" })
  if (Either.isLeft(checked)) throw new Error(`${text}: column ${checked.left.column}: ${checked.left.text}`)
  return checked.right
}

/** The values of an expression at all candles. */
export const valuesOf = (
  text: string,
  bars: Evaluate.Bars,
  type: Expression.Type = "number"
): Array<number> => [...(Evaluate.columns([read(text, type)], "1m", bars)[0] ?? [])]

/** Candles as columns. */
export const barsOf = (rows: ReadonlyArray<Evaluate.Bar>): Evaluate.Bars => {
  const column = (of: (bar: Evaluate.Bar) => number) => Float64Array.from(rows, of)
  return {
    at: column((bar) => bar.at),
    open: column((bar) => bar.open),
    high: column((bar) => bar.high),
    low: column((bar) => bar.low),
    close: column((bar) => bar.close),
    volume: column((bar) => bar.volume),
    length: rows.length
  }
}

/** Candles of equal open, high, low and close, with volume 1. */
export const closes = (prices: ReadonlyArray<number>): Evaluate.Bars =>
  barsOf(
    prices.map((price, index) => ({
      ...{ at: index * MINUTE, open: price, high: price },
      ...{ low: price, close: price, volume: 1 }
    }))
  )

const step = FastCheck.record({
  move: FastCheck.integer({ min: -20, max: 20 }),
  up: FastCheck.integer({ min: 0, max: 10 }),
  down: FastCheck.integer({ min: 0, max: 10 }),
  volume: FastCheck.integer({ min: 0, max: 50 }),
  gap: FastCheck.constantFrom(1, 1, 1, 1, 2, 7)
})

/** Candles that move in small whole steps, so that equal prices and flat stretches come often; with holes. */
export const candles = (most: number): FastCheck.Arbitrary<ReadonlyArray<Evaluate.Bar>> =>
  FastCheck.array(step, { minLength: 1, maxLength: most, size: "max" }).map((steps) => {
    let price = 100
    let at = 0
    return steps.map(({ down, gap, move, up, volume }) => {
      const open = price
      price = Math.max(20, price + move)
      at += gap * MINUTE
      const [top, bottom] = [Math.max(open, price), Math.min(open, price)]
      return { at, open, high: top + up, low: bottom - down, close: price, volume }
    })
  })

const LENGTHS = ["1", "2", "3", "5", "fast", "slow", "fast + 1", "13"] as const
const length = FastCheck.constantFrom(...LENGTHS)
const factor = FastCheck.constantFrom("1", "2", "0.5", "3")

interface Trees {
  readonly number: string
  readonly condition: string
}

const written = (parts: ReadonlyArray<string | FastCheck.Arbitrary<string>>): FastCheck.Arbitrary<string> =>
  FastCheck.tuple(...parts.map((part) => (typeof part === "string" ? FastCheck.constant(part) : part))).map(
    (texts) => texts.join("")
  )

/** Random well-typed expressions. */
export const expressions = (depth: number): FastCheck.LetrecValue<Trees> =>
  FastCheck.letrec<Trees>((tie: FastCheck.LetrecTypedTie<Trees>) => {
    const [number, condition] = [tie("number"), tie("condition")]
    const prices = FastCheck.constantFrom("open", "high", "low", "close", "volume", "hl2", "hlc3", "ohlc4")
    const leaf = FastCheck.oneof(prices, FastCheck.constantFrom("1", "0", "2.5", "fast", "tr", "obv", "vwap"))
    const windows = FastCheck.constantFrom(
      ...[
        "sma",
        "ema",
        "wma",
        "rma",
        "rsi",
        "stdev",
        "cci",
        "mfi",
        "roc",
        "mom",
        "change",
        "highest",
        "lowest"
      ]
    )
    const sides = FastCheck.constantFrom("upper", "middle", "lower")
    const operators = FastCheck.constantFrom("+", "-", "*", "/", "%")
    const comparisons = FastCheck.constantFrom(">", "<", ">=", "<=", "==", "!=")
    return {
      number: FastCheck.oneof(
        { depthSize: "small", maxDepth: depth, withCrossShrink: true },
        leaf,
        written([windows, "(", number, ", ", length, ")"]),
        written(["(", number, " ", operators, " ", number, ")"]),
        written(["-", number]),
        written(["(", number, ")[", length, "]"]),
        written(["(", condition, " ? ", number, " : ", number, ")"]),
        written(["macd(", number, ", 3, 5, 2).", FastCheck.constantFrom("line", "signal", "histogram")]),
        written(["bb(", number, ", ", length, ", ", factor, ").", sides]),
        written(["donchian(", length, ").", sides]),
        written(["keltner(", number, ", ", length, ", ", factor, ").", sides]),
        written(["supertrend(", factor, ", ", length, ")"]),
        written(["dmi(", length, ", ", length, ").", FastCheck.constantFrom("plus_di", "minus_di", "adx")]),
        written(["stoch(", number, ", high, low, ", length, ")"]),
        written([FastCheck.constantFrom("min", "max", "avg"), "(", number, ", ", number, ")"]),
        written(["abs(", number, ")"]),
        written(["barssince(", condition, ")"]),
        written(["vwap(", number, ", 2).", FastCheck.constantFrom("value", "upper", "lower")]),
        FastCheck.constantFrom(
          "sar(0.02, 0.02, 0.2)",
          "atr(3)",
          'request("5m", close)',
          'request("3m", sma(hl2, 3))'
        )
      ),
      condition: FastCheck.oneof(
        { depthSize: "small", maxDepth: depth, withCrossShrink: true },
        written([number, " ", comparisons, " ", number]),
        written([FastCheck.constantFrom("crossover", "crossunder", "cross"), "(", number, ", ", number, ")"]),
        written([FastCheck.constantFrom("rising", "falling"), "(", number, ", ", length, ")"]),
        written(["(", condition, " ", FastCheck.constantFrom("and", "or"), " ", condition, ")"]),
        written(["not (", condition, ")"]),
        written(["(", condition, ")[", length, "]"]),
        FastCheck.constantFrom('request("5m", close > open)', 'request("15m", rising(close, 2))')
      )
    }
  })
