// The functions of expressions: what each takes and gives, in one place for the type check, the words, the editor and
// the guide. Names and parameters are Pine's.
import { between, type FunctionDefinition, length, many, named, source, windowed } from "./FunctionShape.ts"

/** The names of the functions. */
export const FUNCTION_NAMES = [
  ...(["sma", "ema", "wma", "rma", "rsi", "macd", "bb", "atr", "tr", "dmi", "stoch", "cci", "mfi"] as const),
  ...(["obv", "vwap", "donchian", "keltner", "supertrend", "sar", "roc", "mom", "change"] as const),
  ...(["highest", "lowest", "stdev", "crossover", "crossunder", "cross", "rising", "falling"] as const),
  ...(["barssince", "abs", "min", "max", "avg", "request"] as const)
] as const
/** The name of a function. */
export type FunctionName = (typeof FUNCTION_NAMES)[number]
/** The functions that compute something of the candles they stand at. */
export type IndicatorName = Exclude<FunctionName, "request">

const AVERAGES = {
  sma: windowed(
    "the average of {source} over {length} candles",
    "Simple moving average: the plain average of the newest values."
  ),
  ema: windowed(
    "the exponential average of {source} over {length} candles",
    "Exponential moving average. The newest value weighs 2 / (length + 1); it begins with the plain average of the first values."
  ),
  wma: windowed(
    "the weighted average of {source} over {length} candles",
    "Weighted moving average: the newest value weighs `length`, the oldest 1."
  ),
  rma: windowed(
    "Wilder's average of {source} over {length} candles",
    "Wilder's moving average, as in RSI and ATR. The newest value weighs 1 / length; it begins with the plain average of the first values."
  ),
  stdev: windowed(
    "the standard deviation of {source} over {length} candles",
    "Standard deviation of a population: divided by `length`, not by `length - 1`."
  ),
  avg: many("the average of {inputs}", "The average of its inputs at the same candle.")
}

const OSCILLATORS = {
  rsi: windowed(
    "the RSI of {source} over {length} candles",
    "Relative strength index, from 0 to 100, by Wilder's averages; 100 where there was no fall."
  ),
  macd: {
    parameters: [source, named("fast", "length"), named("slow", "length"), named("signal", "length")],
    type: "number",
    outputs: ["line", "signal", "histogram"],
    main: "line",
    words: "the MACD {output} of {source} ({fast}, {slow}, {signal})",
    about:
      "The fast EMA less the slow one (`line`), the EMA of that (`signal`), and their difference (`histogram`)."
  },
  stoch: {
    parameters: [source, named("high", "number"), named("low", "number"), length],
    type: "number",
    words: "the stochastic of {source} over {length} candles",
    about:
      "Where the source lies between the lowest `low` (0) and the highest `high` (100): the fast K. `sma(stoch(close, high, low, 14), 3)` is K, an `sma` of that D."
  },
  cci: windowed(
    "the CCI of {source} over {length} candles",
    "Commodity channel index. Charts use `hlc3` as source by default."
  ),
  mfi: windowed(
    "the money flow index of {source} over {length} candles",
    "Money flow index, from 0 to 100. Charts use `hlc3` as source by default."
  ),
  roc: windowed(
    "the change of {source} over {length} candles in percent",
    "Rate of change: the change since `length` candles ago, in percent."
  ),
  mom: windowed(
    "the change of {source} over {length} candles",
    "Momentum: the source less that of `length` candles ago."
  ),
  change: {
    parameters: [source, named("length", "length", "1")],
    type: "number",
    words: "the change of {source} over {length} candles",
    about: "The source less that of `length` candles ago, of the candle before if left out."
  }
} as const satisfies Record<string, FunctionDefinition>

const RANGES = {
  tr: {
    parameters: [named("first", "flag", "true")],
    type: "number",
    words: "the true range",
    about:
      "True range: the highest of high - low and of the distances of both to the close before. At the first candle of all it is high - low, or no value with `tr(false)`."
  },
  atr: {
    parameters: [length],
    type: "number",
    words: "the average true range over {length} candles",
    about: "Average true range, by Wilder's average."
  },
  bb: {
    parameters: [source, length, named("mult", "factor")],
    type: "number",
    outputs: ["middle", "upper", "lower", "width", "percent_b"],
    words: "the {output} of the Bollinger bands of {source} ({length} candles, {mult} deviations)",
    about:
      "Bollinger bands: the average and `mult` deviations of a population around it. `width` is in percent of the middle; `percent_b` is 0 at the lower band and 1 at the upper one."
  },
  keltner: {
    parameters: [source, length, named("mult", "factor")],
    type: "number",
    outputs: ["middle", "upper", "lower"],
    words: "the {output} line of the Keltner channel of {source} ({length} candles, {mult} ranges)",
    about: "Keltner channel: an EMA, and `mult` EMAs of the true range around it."
  },
  donchian: {
    parameters: [length],
    type: "number",
    outputs: ["upper", "lower", "middle"],
    words: "the {output} line of the Donchian channel over {length} candles",
    about:
      "The highest high, the lowest low and their middle, the present candle included: a close is above the upper band only of the candle before, `close > donchian(20).upper[1]`."
  },
  highest: {
    parameters: [named("source", "number", "high"), length],
    type: "number",
    leading: true,
    words: "the highest {source} of {length} candles",
    about: "The highest of the newest values, the present one included; of `high` if the source is left out."
  },
  lowest: {
    parameters: [named("source", "number", "low"), length],
    type: "number",
    leading: true,
    words: "the lowest {source} of {length} candles",
    about: "The lowest of the newest values, the present one included; of `low` if the source is left out."
  }
} as const satisfies Record<string, FunctionDefinition>

const TRENDS = {
  dmi: {
    parameters: [named("length", "length"), named("smoothing", "length")],
    type: "number",
    outputs: ["plus_di", "minus_di", "adx"],
    words: "{output} of the directional movement ({length}, {smoothing})",
    about:
      "Wilder's directional movement: both directional indicators and ADX, the strength of a trend, from 0 to 100."
  },
  supertrend: {
    parameters: [named("factor", "factor"), length],
    type: "number",
    outputs: ["line", "direction"],
    main: "line",
    words: "the {output} of the supertrend ({factor} ranges of {length} candles)",
    about:
      "Supertrend: its line, and its direction with Pine's signs, which are -1 while it rises and 1 while it falls. It remembers everything since its first candle."
  },
  sar: {
    parameters: [named("start", "factor"), named("increment", "factor"), named("max", "factor")],
    type: "number",
    words: "the parabolic SAR ({start}, {increment}, {max})",
    about: "Parabolic SAR. It remembers everything since its first candle."
  },
  obv: {
    parameters: [],
    type: "number",
    words: "the on-balance volume",
    about:
      "On-balance volume. It remembers everything since its first candle: compare its changes, not its height."
  },
  vwap: {
    parameters: [named("source", "number", "hlc3"), named("mult", "factor", "1")],
    type: "number",
    outputs: ["value", "upper", "lower"],
    main: "value",
    words: "the {output} of the volume-weighted average price of {source}",
    about:
      "Volume-weighted average price since the beginning of the UTC day, with bands `mult` deviations around it."
  }
} as const satisfies Record<string, FunctionDefinition>

const CONDITIONS = {
  crossover: between(
    "{a} crosses above {b}",
    "True where `a` is above `b` and was not at the candle before."
  ),
  crossunder: between(
    "{a} crosses below {b}",
    "True where `a` is below `b` and was not at the candle before."
  ),
  cross: between(
    "{a} changes sides with {b}",
    "True where `a` is on the other side of `b` than when they last differed. Where both were equal in between and then part to the side they came from, it is false, other than `crossover` and `crossunder`."
  ),
  rising: {
    parameters: [source, length],
    type: "boolean",
    words: "{source} is above each of its {length} candles before",
    about: "True where the source is above each of the `length` values before it."
  },
  falling: {
    parameters: [source, length],
    type: "boolean",
    words: "{source} is below each of its {length} candles before",
    about: "True where the source is below each of the `length` values before it."
  },
  barssince: {
    parameters: [named("condition", "condition")],
    type: "number",
    words: "the number of candles since {condition}",
    about: "Candles since the condition was true: 0 where it is, no value before it ever was."
  },
  abs: {
    parameters: [named("number", "number")],
    type: "number",
    words: "{number} without its sign",
    about: "The number without its sign."
  },
  min: many("the lowest of {inputs}", "The lowest of its inputs at the same candle."),
  max: many("the highest of {inputs}", "The highest of its inputs at the same candle."),
  request: {
    parameters: [named("timeframe", "timeframe"), named("expression", "any")],
    type: "same",
    words: "{expression} at the last closed {timeframe} candle",
    about:
      "The value at the last closed candle of a longer timeframe. It never looks into a candle under way."
  }
} as const satisfies Record<string, FunctionDefinition>

/** All functions. */
export const FUNCTIONS: Readonly<Record<FunctionName, FunctionDefinition>> = {
  ...AVERAGES,
  ...OSCILLATORS,
  ...RANGES,
  ...TRENDS,
  ...CONDITIONS
}

/** The function of a name. Names such as `constructor` have none. */
export const functionOf = (name: string): FunctionName | undefined => FUNCTION_NAMES.find((it) => it === name)
