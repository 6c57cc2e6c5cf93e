// The figures of a sweep in words and as texts.
import * as Format from "../parts/format.ts"

const LABELS: Readonly<Record<string, string>> = {
  ending_equity: "Ending equity",
  net_pnl: "Net P&L",
  roi_pct: "ROI",
  max_drawdown_pct: "Largest drawdown",
  win_rate_pct: "Trades won",
  profit_factor: "Profit factor",
  trade_count: "Trades",
  avg_trade: "Mean trade",
  avg_hold_time_min: "Time held",
  best_trade: "Best trade",
  worst_trade: "Worst trade",
  fees_paid: "Fees paid",
  volatility_pct: "Volatility"
}
const PARTS: Readonly<Record<string, string>> = { train: "train", test: "test (held out)" }

/** A figure's name in words. */
export const labelOf = (figure: string): string => LABELS[figure] ?? figure

/** A part's name in words. */
export const partOf = (part: string): string => PARTS[part] ?? part

/** A figure as text. A null profit factor had no loss to divide by. */
export const figureText = (figure: string, value: number | null | undefined): string => {
  if (value === undefined) return "–"
  if (value === null) return figure === "profit_factor" ? "no loss" : "–"
  if (figure.endsWith("_pct")) return Format.percent(value)
  if (figure === "trade_count") return Format.count(value)
  if (figure === "avg_hold_time_min") return Format.duration(value * 60)
  return Format.money(value)
}
