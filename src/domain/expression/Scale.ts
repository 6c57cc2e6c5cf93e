// On which scale the value of an expression lies, so that a chart draws a moving average over the prices, and an RSI in a
// panel of its own.
import type { Checked } from "./Checked.ts"
import type { IndicatorName } from "./Functions.ts"

/**
 * The scale of a number: `price` beside the candles, `difference` of two prices, `volume`, `percent` from 0 to 100,
 * `number` for what never changes, or the name of the function whose own scale it is.
 */
export type Scale = "price" | "difference" | "volume" | "percent" | "number" | "other" | IndicatorName

/** The scale of an expression that gives a number. */
export const scaleOf = (part: Checked): Scale => {
  switch (part._tag) {
    case "Constant":
      return "number"
    case "Price":
      return part.name === "volume" ? "volume" : "price"
    case "Negative":
      return negated(scaleOf(part.of))
    case "Binary":
      return combined(part.operator, scaleOf(part.left), scaleOf(part.right))
    case "Conditional":
      return common([part.then, part.other])
    case "History":
    case "Request":
      return scaleOf(part.of)
    case "Call":
      return callScale(part)
    case "Not":
      return "other"
  }
}

/** Functions that give a value among those of their source. */
const OF_SOURCE: ReadonlySet<IndicatorName> = new Set<IndicatorName>([
  ...(["sma", "ema", "wma", "rma", "vwap", "bb", "keltner", "highest", "lowest"] as const),
  ...(["min", "max", "avg"] as const)
])
/** Functions that give a price whatever they read. */
const PRICES: ReadonlySet<IndicatorName> = new Set<IndicatorName>(["donchian", "supertrend", "sar"])
/** Functions that give a distance between prices. */
const RANGES: ReadonlySet<IndicatorName> = new Set<IndicatorName>(["tr", "atr"])
/** Functions that give a distance between values of their source. */
const DISTANCES: ReadonlySet<IndicatorName> = new Set<IndicatorName>(["stdev", "mom", "change", "macd"])
const PERCENTAGES: ReadonlySet<IndicatorName> = new Set<IndicatorName>(["rsi", "stoch", "mfi", "dmi"])
/** Outputs that are no price although those beside them are. */
const OUTPUTS: ReadonlySet<string> = new Set(["width", "percent_b", "direction"])

const callScale = ({ function: name, inputs, output = "" }: Checked & { readonly _tag: "Call" }): Scale => {
  if (OUTPUTS.has(output)) return name
  if (PRICES.has(name)) return "price"
  if (RANGES.has(name)) return "difference"
  if (PERCENTAGES.has(name)) return "percent"
  if (name === "abs") return negated(common(inputs))
  // Lengths and factors are numbers.
  if (OF_SOURCE.has(name)) return common(inputs)
  if (DISTANCES.has(name)) return common(inputs) === "price" ? "difference" : name
  return name
}

/** The scale that parts share; numbers fit any. */
const common = (parts: ReadonlyArray<Checked>): Scale => {
  const [first = "number", ...others] = new Set(parts.map(scaleOf).filter((it) => it !== "number"))
  return others.length === 0 ? first : "other"
}

/** A price with another sign is no price. */
const negated = (scale: Scale): Scale => (scale === "price" ? "other" : scale)

const combined = (operator: string, left: Scale, right: Scale): Scale => {
  if (left === "number" && right === "number") return "number"
  if (operator === "+" || operator === "-") {
    if (right === "number") return left
    if (left === "number") return operator === "+" ? right : "other"
    if (right === "difference" && left === "price") return "price"
    if (operator === "+" && left === "difference" && right === "price") return "price"
    if (left === "price" && right === "price") return operator === "-" ? "difference" : "other"
    return left === right ? left : "other"
  }
  if (right === "number") return left
  return operator === "*" && left === "number" ? right : "other"
}
