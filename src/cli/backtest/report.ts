// Prints the result of a back-test, as a table or as JSON.
import type { Performance } from "../../domain/Performance.ts"
import type { BacktestResult } from "../../trading/Backtest.ts"
import { openRows, tradeRow } from "../../trading/backtest/BacktestRows.ts"
import { summary } from "../../trading/Performance.ts"
import { columns, moment } from "../program/table.ts"

/** The JSON of `backtest --json`: times in ms, money as numbers, prices and quantities unrounded. */
export const report = (result: BacktestResult) => {
  const performance: Performance = { summary: summary(result.tally, result.today) }
  return {
    performance,
    trades: result.trades.map(tradeRow),
    ignored: result.ignored,
    open: result.open.flatMap(openRows),
    ambiguous_candles: result.ambiguousCandles,
    candles: result.candles
  }
}

const SHOWN_TRADES = 20

/** The table: figures, counts of exit reasons and ignored alerts, and the last trades. */
export const table = (result: BacktestResult): string => {
  const { ambiguous_candles, candles, ignored, open, performance, trades } = report(result)
  const figures = Object.entries(performance.summary).flatMap(([name, value]) =>
    name === "period" ? [] : [[name.replaceAll("_", " "), value === null ? "-" : String(value)]]
  )
  const { end, start } = performance.summary.period
  const parts = [
    columns(["figure", `${start} to ${end} (UTC)`], figures),
    counted(
      "trades ended by",
      trades.map((trade) => trade.exit_reason)
    ),
    counted(
      "alerts ignored",
      ignored.map(({ reason }) => reason)
    ),
    lastTrades(trades),
    `${candles} ${candles === 1 ? "candle" : "candles"}, ${ambiguous_candles} of them ambiguous; ${open.length} ${open.length === 1 ? "position" : "positions"} still open.`
  ]
  return parts.filter((part) => part !== "").join("\n\n")
}

const counted = (title: string, names: ReadonlyArray<string>): string => {
  if (names.length === 0) return ""
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const rows = [...counts].sort(([, left], [, right]) => right - left)
  return columns(
    [title, "count"],
    rows.map(([name, count]) => [name, String(count)])
  )
}

const lastTrades = (trades: ReturnType<typeof report>["trades"]): string => {
  if (trades.length === 0) return ""
  const rows = trades
    .slice(-SHOWN_TRADES)
    .map((trade) => [
      moment(trade.closed_at / 1000),
      trade.pair,
      `${trade.kind} ${trade.side}`,
      figure(trade.entry_price),
      figure(trade.exit_price),
      trade.exit_reason,
      figure(trade.pnl),
      `${trade.profit_pct.toFixed(2)} %`
    ])
  const head = ["closed (UTC)", "pair", "side", "entry", "exit", "by", "result", "profit"]
  const more = trades.length > SHOWN_TRADES ? `\nthe last ${SHOWN_TRADES} of ${trades.length} trades` : ""
  return `${columns(head, rows)}${more}`
}

const figure = (value: number): string => String(Number(value.toPrecision(8)))
