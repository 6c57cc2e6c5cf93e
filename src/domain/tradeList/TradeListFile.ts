// Reads a charting platform's list of trades (CSV export of a strategy test) as alerts. Columns are found by name; each
// row is an entry or an exit; at one time a trade closes before the next one opens.
import * as Either from "effect/Either"
import type { AlertType } from "../Alert.ts"
import * as Time from "../internal/DateFormat.ts"
import * as Csv from "./Csv.ts"

/** The alert of one row; `at` in ms, `line` from 1. */
export interface ListedAlert {
  readonly at: number
  readonly type: AlertType
  readonly line: number
}

/** A skipped line and the reason. */
export interface SkippedLine {
  readonly line: number
  readonly text: string
}

/** The alerts of a list, sorted by time, and its skipped lines. */
export interface TradeList {
  readonly alerts: ReadonlyArray<ListedAlert>
  readonly skipped: ReadonlyArray<SkippedLine>
}

/** Whether a text is a list of trades: a table whose head names a type and a date. */
export const isTradeList = (text: string): boolean => headOf(Csv.rows(text, HEAD_ROWS)) !== undefined

/**
 * Reads a list of trades: two rows per trade, an entry and an exit, in any sequence, separated by commas, semicolons or
 * tabs. Times without a zone are UTC. If any trade is short, all become futures alerts (`long`, `close_long`, `short`,
 * `close_short`), else spot ones (`buy`, `sell`). Rows that repeat a time and type (a position built or closed in
 * parts) are one alert.
 */
export const parse = (text: string): Either.Either<TradeList, SkippedLine> => {
  const rows = Csv.rows(text, MAX_ROWS + 1)
  const head = headOf(rows.slice(0, HEAD_ROWS))
  const beyond = rows[MAX_ROWS]
  if (beyond !== undefined)
    return Either.left({ line: beyond.line, text: `a list of trades has at most ${MAX_ROWS} rows` })
  if (head === undefined)
    return Either.left({
      line: 1,
      text: "the first row must name the columns, Type and Date among them"
    })
  const found: Array<Found> = []
  const skipped: Array<SkippedLine> = []
  for (const row of rows.slice(head.row + 1)) {
    if (row.cells.every((cell) => cell.trim() === "")) continue
    const read = readRow(head, row, found.length)
    if (typeof read === "string") skipped.push({ line: row.line, text: read })
    else found.push(read)
  }
  return Either.right({ alerts: alertsOf(found), skipped })
}

/** The most rows; each trade has two. */
const MAX_ROWS = 500_000

/** The number of rows in which the head is searched: programs write lines of their own above it. */
const HEAD_ROWS = 5

/** The indices of the columns; `row` is the row that names them. */
interface Head {
  readonly row: number
  readonly type: number
  readonly date: number
  readonly trade: number
  readonly signal: number
}

const headOf = (rows: ReadonlyArray<Csv.Row>): Head | undefined => {
  for (const [row, { cells }] of rows.entries()) {
    const names = cells.map((cell) => cell.replaceAll(/\s+/g, " ").trim().toLowerCase())
    const type = names.indexOf("type")
    const date = names.findIndex((name) => /^date\b|^datetime$|^time$/.test(name))
    const trade = names.findIndex((name) => /^trade( ?(#|no\.?|number|id))?$|^#$/.test(name))
    if (type >= 0 && date >= 0) return { row, type, date, trade, signal: names.indexOf("signal") }
  }
  return undefined
}

/** One side of a trade. `order` is its index in the file. */
interface Found {
  readonly line: number
  readonly at: number
  readonly isEntry: boolean
  readonly isLong: boolean
  readonly trade: number
  readonly order: number
}

const readRow = (head: Head, { cells, line }: Csv.Row, order: number): Found | string => {
  const type = (cells[head.type] ?? "").toLowerCase()
  const isEntry = /\bentry\b/.test(type)
  const isLong = /\blong\b/.test(type)
  if (isEntry === /\bexit\b/.test(type) || isLong === /\bshort\b/.test(type))
    return "its type is neither Entry nor Exit of a long or a short"
  if (!isEntry && (cells[head.signal] ?? "").trim().toLowerCase() === "open")
    return "the trade was still open at the end of the list"
  const date = (cells[head.date] ?? "").trim()
  if (date === "") return "it has no date"
  const at = Time.read(date)
  if (at === undefined) return "its date is not understood: dates look like 2024-01-31 13:00"
  const trade = Number.parseInt(cells[head.trade] ?? "", 10)
  return { line, at, isEntry, isLong, trade: Number.isNaN(trade) ? 0 : trade, order }
}

/**
 * Sorted by time, then by trade, so that one trade closes before the next opens, whichever end the list begins with.
 */
const alertsOf = (found: ReadonlyArray<Found>): ReadonlyArray<ListedAlert> => {
  const isNewestFirst = (found[0]?.at ?? 0) > (found.at(-1)?.at ?? 0)
  const inFile = (one: Found, other: Found) =>
    isNewestFirst ? other.order - one.order : one.order - other.order
  const entriesFirst = (one: Found, other: Found) => Number(other.isEntry) - Number(one.isEntry)
  const byTrade = (one: Found, other: Found) =>
    one.trade - other.trade || (one.trade > 0 ? entriesFirst(one, other) : 0)
  const sorted = [...found].sort(
    (one, other) => one.at - other.at || byTrade(one, other) || inFile(one, other)
  )
  const hasShorts = found.some(({ isLong }) => !isLong)
  const seen = new Set<string>()
  return sorted.flatMap(({ at, isEntry, isLong, line }) => {
    const type = typeOf(isEntry, isLong, hasShorts)
    const key = `${at} ${type}`
    if (seen.has(key)) return []
    seen.add(key)
    return [{ at, type, line }]
  })
}

const typeOf = (isEntry: boolean, isLong: boolean, hasShorts: boolean): AlertType => {
  if (!hasShorts) return isEntry ? "buy" : "sell"
  if (isLong) return isEntry ? "long" : "close_long"
  return isEntry ? "short" : "close_short"
}
