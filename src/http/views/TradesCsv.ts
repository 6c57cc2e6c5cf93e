// Closed trades as CSV (RFC 4180), safe to open in a spreadsheet. A trade stays one line, so that sums over columns stay
// right; its exit fills stand in the last column, as text.
import * as Decimal from "../../domain/Decimal.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { exitFillsOf, type Trade } from "../../domain/Trade.ts"
import type { FoundTrade } from "../../services/records/TradeSearch.ts"
import { ownTradeView } from "./DashboardViews.ts"
import { figure } from "./Figures.ts"

const COLUMNS = [
  "id",
  "exchange",
  "pair",
  "kind",
  "side",
  "opened_at",
  "closed_at",
  "entry_price",
  "exit_price",
  "quantity",
  "cost",
  "proceeds",
  "fees",
  "pnl",
  "profit_pct",
  "exit_reason",
  "entries",
  "period",
  "live",
  "exits",
  "exit_fills"
] as const

const END = "\r\n"

/** The header line. */
export const HEADER = COLUMNS.join(",") + END

/** Lines of closed trades; times as ISO 8601 in UTC. */
export const linesOf = (rows: ReadonlyArray<{ readonly id: number; readonly trade: Trade }>): string =>
  rows.map(({ id, trade }) => lineOf(id, trade)).join("")

/** The header line of the trades of all strategies: their strategies come first. */
export const HEADER_OF_ALL = `strategy_id,strategy_name,${HEADER}`

/** Lines of the trades of several strategies. A deleted strategy has no name. */
export const linesOfAll = (rows: ReadonlyArray<FoundTrade>, names: ReadonlyMap<StrategyId, string>): string =>
  rows
    .map(({ id, strategy, trade }) => `${strategy},${cellOf(names.get(strategy) ?? "")},${lineOf(id, trade)}`)
    .join("")

const lineOf = (id: number, trade: Trade): string => {
  const view = ownTradeView(id, trade)
  const cells = COLUMNS.map((name) =>
    name === "opened_at"
      ? isoOf(trade.openedAt)
      : name === "closed_at"
        ? isoOf(trade.closedAt)
        : name === "live"
          ? String(view.live)
          : name === "exit_fills"
            ? cellOf(fillsOf(trade))
            : cellOf(view[name])
  )
  return cells.join(",") + END
}

/** `2026-11-22T03:11:05.000Z 0.4 at 61230 take_profit`, with a semicolon between fills. */
const fillsOf = (trade: Trade): string =>
  exitFillsOf(trade)
    .map(
      ({ at, price, quantity, reason }) =>
        `${isoOf(at)} ${plain(Decimal.toNumber(quantity))} at ${plain(figure(price))} ${reason}`
    )
    .join("; ")

const isoOf = (at: number): string => new Date(at).toISOString()

/** A cell: a number in plain digits, or a text that no spreadsheet takes for a formula, quoted where needed. */
export const cellOf = (value: number | string): string => {
  if (typeof value === "number") return plain(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Digits without an exponent, which readers of tables may not support. */
const plain = (value: number): string => {
  const text = String(value)
  return text.includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : text
}
