// A call of each function as people write it most, for the guide, the editor and the command line.
import type { FunctionParameter } from "./FunctionShape.ts"
import { FUNCTIONS, type FunctionName } from "./Functions.ts"

/** The inputs that have one usual value, by the name of the parameter. */
const USUAL: Readonly<Record<string, string>> = {
  ...{ fast: "12", slow: "26", signal: "9", smoothing: "14" },
  ...{ start: "0.02", increment: "0.02", max: "0.2", high: "high", low: "low" },
  ...{ a: "close", b: "open", factor: "3", number: "close - open" }
}
const OF_KIND: Readonly<Record<FunctionParameter["kind"], string>> = {
  ...{ number: "close", condition: "close > open", any: "close" },
  ...{ length: "14", factor: "2", flag: "true", timeframe: '"4h"' }
}

/** The call as an expression: `ema(close, 14)`. */
export const exampleOf = (name: FunctionName): string => {
  const { leading, main, outputs = [], parameters } = FUNCTIONS[name]
  const needed = parameters.filter(({ fallback }) => fallback === undefined || leading === true)
  const inputs = needed.map(({ fallback, kind, name: input }) => fallback ?? USUAL[input] ?? OF_KIND[kind])
  const call = needed.length === 0 ? name : `${name}(${inputs.join(", ")})`
  return main === undefined && outputs.length > 0 ? `${call}.${outputs[0]}` : call
}

/** What a function takes: `macd(source, fast, slow, signal)`. */
export const formOf = (name: FunctionName): string => {
  const { parameters, rest } = FUNCTIONS[name]
  if (parameters.length === 0) return name
  const inputs = parameters.map(({ fallback, name: input }) =>
    fallback === undefined ? input : `${input} = ${fallback}`
  )
  return `${name}(${inputs.join(", ")}${rest === true ? ", ..." : ""})`
}
