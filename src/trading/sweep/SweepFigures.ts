// The figures of a performance summary as fixed-width numbers, so that threads can share the results of a sweep in one
// Float64Array.
import type { Summary } from "../../domain/Performance.ts"

/** The figures in the sequence of a summary, without the period. */
export const FIGURES = [
  "starting_equity",
  "ending_equity",
  "net_pnl",
  "roi_pct",
  "max_drawdown_pct",
  "win_rate_pct",
  "profit_factor",
  "trade_count",
  "avg_trade",
  "avg_hold_time_min",
  "best_trade",
  "worst_trade",
  "fees_paid",
  "volatility_pct"
] as const satisfies ReadonlyArray<keyof Summary>
/** A figure by which combinations can be compared, one of `FIGURES`. */
export type Figure = (typeof FIGURES)[number]

/** The number of doubles per summary: the two dates of its period, then the figures. */
export const WIDTH = 2 + FIGURES.length

/** Writes a summary at `at`. NaN stands for null; no figure is NaN. */
export const write = (summary: Summary, into: Float64Array, at: number): void => {
  into[at] = digitsOf(summary.period.start)
  into[at + 1] = digitsOf(summary.period.end)
  for (const [place, figure] of FIGURES.entries()) into[at + 2 + place] = summary[figure] ?? Number.NaN
}

/** Reads the summary at `at`. */
export const read = (from: Float64Array, at: number): Summary => {
  const value = (figure: Figure): number => from[at + placeOf(figure)] ?? Number.NaN
  const factor = value("profit_factor")
  return {
    period: { start: dateOf(from[at] ?? 0), end: dateOf(from[at + 1] ?? 0), timezone: "UTC" },
    starting_equity: value("starting_equity"),
    ending_equity: value("ending_equity"),
    net_pnl: value("net_pnl"),
    roi_pct: value("roi_pct"),
    max_drawdown_pct: value("max_drawdown_pct"),
    win_rate_pct: value("win_rate_pct"),
    profit_factor: Number.isNaN(factor) ? null : factor,
    trade_count: value("trade_count"),
    avg_trade: value("avg_trade"),
    avg_hold_time_min: value("avg_hold_time_min"),
    best_trade: value("best_trade"),
    worst_trade: value("worst_trade"),
    fees_paid: value("fees_paid"),
    volatility_pct: value("volatility_pct")
  }
}

/** The offset of a figure within a summary. */
export const placeOf = (figure: Figure): number => 2 + FIGURES.indexOf(figure)

/** `2022-12-13` as 20221213. */
const digitsOf = (date: string): number => Number(date.replaceAll("-", ""))

const dateOf = (digits: number): string => {
  const text = String(digits).padStart(8, "0")
  return `${text.slice(0, -4)}-${text.slice(-4, -2)}-${text.slice(-2)}`
}
