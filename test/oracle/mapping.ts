// Which expression computes what a table of the oracle calls by an indicator, its parameters and an output.

/** A column of expected values. */
export interface Expected {
  readonly column: string
  readonly indicator: string
  readonly params: Readonly<Record<string, string | number | boolean>>
  readonly output: string
}

type Written = (params: Params, output: string) => string

/** The parameters of an expected column, read as they are needed. */
interface Params {
  readonly n: (name: string) => number
  readonly source: (usual: string) => string
  readonly has: (name: string, value?: string | number | boolean) => boolean
}

const SOURCES: Readonly<Record<string, string>> = { hlcc4: "(high + low + close + close) / 4" }

const EXPRESSIONS: Readonly<Record<string, Written>> = {
  SMA: ({ n, source }) => `sma(${source("close")}, ${n("length")})`,
  EMA: ({ n, source }) => `ema(${source("close")}, ${n("length")})`,
  RMA: ({ n, source }) => `rma(${source("close")}, ${n("length")})`,
  WMA: ({ n, source }) => `wma(${source("close")}, ${n("length")})`,
  DEMA: ({ n }) => doubled(n("length")),
  TEMA: ({ n }) => tripled(n("length")),
  HMA: ({ n }) => {
    const length = n("length")
    const inner = `2 * wma(close, ${Math.floor(length / 2)}) - wma(close, ${length})`
    return `wma(${inner}, ${Math.floor(Math.sqrt(length))})`
  },
  VWMA: ({ n }) => `sma(close * volume, ${n("length")}) / sma(volume, ${n("length")})`,
  RSI: ({ has, n }) => {
    const length = n("length")
    if (!has("average", "simple")) return `rsi(close, ${length})`
    const [up, down] = ["max(change(close), 0)", "max(-change(close), 0)"]
    return `100 - 100 / (1 + sma(${up}, ${length}) / sma(${down}, ${length}))`
  },
  MACD: ({ has, n }, output) =>
    `macd(close, ${n("fast")}, ${n("slow")}, ${has("signal") ? n("signal") : 9}).${output}`,
  BollingerBands: ({ n }, output) => {
    const bands = `bb(close, ${n("length")}, ${n("deviations")})`
    if (output === "width") return `${bands}.width / 100`
    return output === "width x 100" ? `${bands}.width` : `${bands}.${output}`
  },
  TrueRange: ({ has }) => (has("first_bar", "na") ? "tr(false)" : "tr"),
  ADX: ({ n }, output) => `dmi(${n("di_length")}, ${n("smoothing")}).${output}`,
  Stochastic: ({ n }, output) => {
    const fast = `stoch(close, high, low, ${n("length")})`
    if (output === "fast_k") return fast
    const slow = `sma(${fast}, ${n("k_smoothing")})`
    return output === "k" ? slow : `sma(${slow}, ${n("d_smoothing")})`
  },
  StochRSI: ({ n }, output) => {
    const rsi = `rsi(close, ${n("rsi_length")})`
    const raw = `stoch(${rsi}, ${rsi}, ${rsi}, ${n("stoch_length")})`
    if (output === "raw") return raw
    const k = `sma(${raw}, ${n("k_smoothing")})`
    return output === "k" ? k : `sma(${k}, ${n("d_smoothing")})`
  },
  CCI: ({ n, source }) => `cci(${source("hlc3")}, ${n("length")})`,
  MFI: ({ n, source }) => `mfi(${source("hlc3")}, ${n("length")})`,
  OBV: () => "obv",
  Donchian: ({ has, n }, output) =>
    `donchian(${n("length")}).${output}${has("includes_current_bar", false) ? "[1]" : ""}`,
  Highest: ({ n, source }) => `highest(${source("high")}, ${n("length")})`,
  Lowest: ({ n, source }) => `lowest(${source("low")}, ${n("length")})`,
  ParabolicSAR: ({ n }) => `sar(${n("start")}, ${n("increment")}, ${n("max")})`,
  WilliamsR: ({ n }) => {
    const length = n("length")
    return `100 * (close - highest(${length})) / (highest(${length}) - lowest(${length}))`
  },
  ROC: ({ n }) => `roc(close, ${n("length")})`,
  Crossover: () => "crossover(ema(close, 5), ema(close, 11)) ? 1 : 0",
  Crossunder: () => "crossunder(ema(close, 5), ema(close, 11)) ? -1 : 0",
  Cross: () => "cross(ema(close, 5), ema(close, 11)) ? 0.5 : 0",
  Ichimoku: ({ n }, output) => ichimoku(n, output)
}

const doubled = (length: number): string => {
  const one = `ema(close, ${length})`
  return `2 * ${one} - ema(${one}, ${length})`
}

const tripled = (length: number): string => {
  const one = `ema(close, ${length})`
  const two = `ema(${one}, ${length})`
  return `3 * ${one} - 3 * ${two} + ema(${two}, ${length})`
}

/** The files draw the spans 26 candles ahead. The lagging span is a close of later, which no expression can know. */
const ichimoku = (n: Params["n"], output: string): string => {
  const middle = (name: string) => `donchian(${n(name)}).middle`
  if (output === "senkou_a") return `avg(${middle("tenkan")}, ${middle("kijun")})[${n("displacement")}]`
  if (output === "senkou_b") return `${middle("senkou_b")}[${n("displacement")}]`
  return middle(output)
}

/** Where programs differ in what the README of the folder lists, the expression for their convention. */
const ranges = (expected: Expected, params: Params, isSpreadsheet: boolean): string | undefined => {
  const { column, indicator, output } = expected
  const range = isSpreadsheet ? "tr(false)" : "tr"
  if (indicator === "ATR")
    return params.has("average", "simple")
      ? `sma(tr(false), ${params.n("length")})`
      : `rma(${range}, ${params.n("length")})`
  if (indicator === "SuperTrend") {
    const trend = `supertrend(${params.n("multiplier")}, ${params.n("atr_length")})`
    if (column.endsWith("_up")) return `${trend}.direction < 0 ? ${trend}.line : 0 / (close - close)`
    return column.endsWith("_down")
      ? `${trend}.direction > 0 ? ${trend}.line : 0 / (close - close)`
      : `${trend}.line`
  }
  return indicator === "Keltner" ? keltner(params, output) : undefined
}

const keltner = ({ has, n }: Params, output: string): string => {
  const factor = n("multiplier")
  const side = output === "upper" ? "+" : "-"
  if (has("average", "simple")) {
    const middle = `sma(hlc3, ${n("length")})`
    return output === "middle" ? middle : `${middle} ${side} ${factor} * sma(tr, ${n("length")})`
  }
  if (!has("atr_length")) return `keltner(close, ${n("length")}, ${factor}).${output}`
  const middle = `ema(close, ${n("ema_length")})`
  return output === "middle" ? middle : `${middle} ${side} ${factor} * rma(tr(false), ${n("atr_length")})`
}

/** The expression of a column; undefined where no expression can be it. */
export const expressionOf = (expected: Expected, isSpreadsheet: boolean): string | undefined => {
  const { indicator, output, params } = expected
  const read: Params = {
    n: (name) => {
      const value = params[name]
      if (typeof value !== "number") throw new Error(`${expected.column} has no ${name}`)
      return value
    },
    source: (usual) => {
      const value = String(params["source"] ?? usual)
      return SOURCES[value] ?? value
    },
    has: (name, value) => (value === undefined ? name in params : params[name] === value)
  }
  if (indicator === "Ichimoku" && output === "chikou") return undefined
  const special = ranges(expected, read, isSpreadsheet)
  return special ?? EXPRESSIONS[indicator]?.(read, output)
}
