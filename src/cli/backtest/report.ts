// Prints the result of a back-test, as a table or as JSON.
import type { Performance } from "../../domain/Performance.ts"
import type { BacktestResult } from "../../trading/Backtest.ts"
import { openRows, tradeRow } from "../../trading/backtest/BacktestRows.ts"
import type { Outcome } from "../../trading/backtest/BacktestView.ts"
import * as Figures from "../../trading/equity/Figures.ts"
import * as MarkedRun from "../../trading/equity/MarkedRun.ts"
import { summary } from "../../trading/Performance.ts"
import { columns, moment } from "../program/table.ts"
import { lines } from "./fills.ts"
import { ruleJson, ruleText } from "./ruleReport.ts"

/** The most points of the curve in `backtest --json`. */
const SHOWN_POINTS = 1000

/**
 * The JSON of `backtest --json`: times in ms, money as numbers, prices and quantities unrounded. `rule` is there where a
 * rule raised the alerts; it lists them if that is wanted.
 */
export const report = (ended: Ended, listsAlerts = false) => {
  const { nearer, result, rule } = ended
  const performance: Performance = { summary: summary(result.tally, result.today) }
  const { measured, points } = MarkedRun.measure(ended, SHOWN_POINTS)
  return {
    performance,
    figures: Figures.inMs(measured),
    points: points.map(Figures.shownPoint),
    trades: result.trades.map(tradeRow),
    ignored: result.ignored,
    open: result.open.flatMap(openRows),
    ambiguous_candles: result.ambiguousCandles,
    candles: result.candles,
    ...(rule === undefined ? {} : { rule: ruleJson(rule, listsAlerts) }),
    ...(nearer === undefined ? {} : { fills: nearer })
  }
}

const SHOWN_TRADES = 20

/** A back-test with its whole result. */
interface Ended extends MarkedRun.Ended {
  readonly result: BacktestResult
  readonly rule?: Outcome["rule"]
  readonly nearer?: Outcome["nearer"]
}

/** The table: figures, counts of exit reasons and ignored alerts, and the last trades. */
export const table = (made: ReturnType<typeof report>): string => {
  const { ambiguous_candles, candles, figures: measured, ignored, open, performance, rule, trades } = made
  const nearer = made.fills === undefined ? [] : [lines(made.fills).join("\n")]
  const figures = Object.entries(performance.summary).flatMap(([name, value]) =>
    name === "period" ? [] : [[name.replaceAll("_", " "), value === null ? "-" : String(value)]]
  )
  const { end, start } = performance.summary.period
  const parts = [
    ...nearer,
    columns(["figure", `${start} to ${end} (UTC)`], figures),
    compared(measured, performance),
    grouped(
      "trades ended by",
      measured.completed.by_exit_reason.map((group) => ({ name: group.exit_reason, ...group }))
    ),
    grouped("trades by month", lastMonths(measured)),
    ...(rule === undefined ? [] : ruleText(rule)),
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

type Measured = ReturnType<typeof report>["figures"]

/** Figures of equity marked to the market, where what is open counts at its last price, beside those of completed trades. */
const compared = ({ completed, marked }: Measured, { summary }: Performance): string => {
  const longest = `${span(marked.longest_drawdown_ms)}${marked.longest_drawdown_recovered ? "" : ", goes on"}`
  return columns(
    ["", "marked to the market", "completed trades"],
    [
      ["equity", String(marked.equity), String(summary.ending_equity)],
      ["return pct", String(marked.return_pct), String(summary.roi_pct)],
      ["max drawdown pct", String(marked.max_drawdown_pct), String(summary.max_drawdown_pct)],
      ["longest drawdown", longest],
      ["buy and hold return pct", shown(marked.hold_return_pct)],
      ["annual return pct", shown(marked.annual_return_pct)],
      ["exposure pct", String(marked.exposure_pct)],
      ["time in market pct", String(marked.time_in_market_pct)],
      ["sharpe", shown(marked.sharpe)],
      ["sortino", shown(marked.sortino)],
      ["calmar", shown(marked.calmar)],
      ["expectancy", "", String(completed.expectancy)],
      ["expectancy ratio", "", shown(completed.expectancy_ratio)]
    ]
  )
}

const shown = (value: number | null): string => (value === null ? "-" : String(value))

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A length of time in days and hours, or hours and minutes. */
const span = (ms: number): string => {
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS)
  if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)} d ${hours} h`
  return `${hours} h ${Math.floor((ms % HOUR_MS) / MINUTE_MS)} min`
}

interface Group {
  readonly name: string
  readonly trades: number
  readonly wins: number
  readonly net_pnl: number
}

const SHOWN_MONTHS = 24

const lastMonths = ({ completed }: Measured): ReadonlyArray<Group> =>
  completed.by_month.slice(-SHOWN_MONTHS).map((group) => ({ name: group.month, ...group }))

const grouped = (title: string, groups: ReadonlyArray<Group>): string =>
  groups.length === 0
    ? ""
    : columns(
        [title, "count", "wins", "result"],
        groups.map(({ name, net_pnl, trades, wins }) => [name, String(trades), String(wins), figure(net_pnl)])
      )

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
