// Fills nearer to life in words, and the bounds of their numbers. Pages use this file, so it needs no schema.

/** A fill model's fields on the wire, each present or not. */
export interface FillFields {
  readonly slippage_percent?: number | undefined
  readonly slippage_ticks?: number | undefined
  readonly spread_percent?: number | undefined
  readonly spread?: "recorded" | undefined
  readonly latency_ms?: number | undefined
  readonly limits?: "touched" | "through" | undefined
  readonly funding?: boolean | undefined
}

/** The most slippage and the widest spread, in percent of the price. */
export const MAX_PERCENT = 10
/** The most slippage in price steps. */
export const MAX_TICKS = 1000
/** The longest latency, in ms. */
export const MAX_LATENCY_MS = 600_000

/** Whether a percentage is in bounds. */
export const isPercent = (value: number): boolean => value >= 0 && value <= MAX_PERCENT
/** Whether a number of price steps is in bounds. */
export const isTicks = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MAX_TICKS
/** Whether a latency (ms) is in bounds. */
export const isLatency = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= MAX_LATENCY_MS

/** What a percentage must be. */
export const PERCENT_WORDS = `must be from 0 to ${MAX_PERCENT}`
/** What a number of price steps must be. */
export const TICKS_WORDS = `must be a whole number from 0 to ${MAX_TICKS}`
/** What a latency must be. */
export const LATENCY_WORDS = `must be a whole number of ms from 0 to ${MAX_LATENCY_MS}`

/** What a model does, in a few words for each part: for reports and pages. */
export const wordsOf = (model: FillFields): ReadonlyArray<string> => {
  const { funding, latency_ms, limits, slippage_percent, slippage_ticks, spread, spread_percent } = model
  return [
    isOn(slippage_percent) ? `slippage of ${plain(slippage_percent)} % on market orders` : "",
    isOn(slippage_ticks)
      ? `slippage of ${slippage_ticks} price ${slippage_ticks === 1 ? "step" : "steps"} on market orders`
      : "",
    isOn(spread_percent) ? `a spread of ${plain(spread_percent)} %, half on each side` : "",
    spread === undefined ? "" : "the recorded spread of each minute, half on each side",
    isOn(latency_ms) ? `market orders fill ${latency_ms} ms late` : "",
    limits === "through" ? "limits fill only where the price goes through them" : "",
    funding === true ? "funding of perpetuals" : ""
  ].filter((part) => part !== "")
}

/** Whether a number is on. */
export const isOn = (value: number | undefined): value is number => value !== undefined && value > 0

/** The decimals that a percentage keeps. */
const PLACES = 9

/** A percentage as it counts, in so many decimals that its text can be read again. */
export const rounded = (percent: number): number => Number(percent.toFixed(PLACES))

/** The text of a number, without an exponent. */
export const plain = (value: number): string => value.toFixed(PLACES).replace(/\.?0+$/, "")
