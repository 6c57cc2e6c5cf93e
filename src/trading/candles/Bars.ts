// Candles joined into longer ones, so that a chart of any stretch has a bounded number. Longer candles begin at
// multiples of their span; a span without trades has no candle.
import type { Columns } from "../../domain/candles/CandleFile.ts"
import { columned, section } from "../../domain/candles/CandleRowReader.ts"

const MINUTE_MS = 60_000
const HOUR = 60
const DAY = 24 * HOUR
/** The usual spans in minutes; longer ones are whole weeks. */
const SPANS = [1, 2, 3, 5, 10, 15, 30, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY]
const WEEK_MS = 7 * DAY * MINUTE_MS

/** The shortest usual span (ms), at least `least`, that divides the stretch into at most `points` candles. */
export const spanFor = (stretchMs: number, points: number, least = MINUTE_MS): number => {
  // One span more than fits: both ends of the stretch may lie within a span.
  const fits = (span: number) => span >= least && Math.floor(stretchMs / span) + 2 <= points
  const known = SPANS.map((minutes) => minutes * MINUTE_MS).find(fits)
  if (known !== undefined) return known
  const weeks = Math.ceil(stretchMs / (Math.max(points - 2, 1) * WEEK_MS))
  return Math.max(weeks * WEEK_MS, Math.ceil(least / WEEK_MS) * WEEK_MS)
}

/** The time (ms) between candles: the smallest distance among the first 1,000, or a minute if there are none. */
export const spacingOf = ({ at, length }: Columns): number => {
  let spacing = Number.POSITIVE_INFINITY
  for (let row = 1; row < Math.min(length, 1000); row++)
    spacing = Math.min(spacing, (at[row] ?? 0) - (at[row - 1] ?? 0))
  return Number.isFinite(spacing) && spacing > 0 ? spacing : MINUTE_MS
}

/** Joins candles into spans of `span` ms. A span without candles stays empty; volumes are summed up. */
export const joined = (columns: Columns, span: number): Columns => {
  const length = countSpans(columns, span)
  const rows = { ...columned(length), length }
  let place = -1
  for (let row = 0; row < columns.length; row++) {
    const begin = beginOf(columns.at[row] ?? 0, span)
    const high = columns.high[row] ?? 0
    const low = columns.low[row] ?? 0
    if (place < 0 || rows.at[place] !== begin) {
      place++
      rows.at[place] = begin
      rows.open[place] = columns.open[row] ?? 0
      rows.high[place] = high
      rows.low[place] = low
    }
    rows.volume[place] = (rows.volume[place] ?? 0) + (columns.volume?.[row] ?? Number.NaN)
    if (high > (rows.high[place] ?? 0)) rows.high[place] = high
    if (low < (rows.low[place] ?? 0)) rows.low[place] = low
    rows.close[place] = columns.close[row] ?? 0
  }
  return rows
}

const countSpans = ({ at, length }: Columns, span: number): number => {
  let count = 0
  let last = Number.NaN
  for (let row = 0; row < length; row++) {
    const begin = beginOf(at[row] ?? 0, span)
    if (begin !== last) count++
    last = begin
  }
  return count
}

const beginOf = (at: number, span: number): number => Math.floor(at / span) * span

/** Candles of one span. */
export interface Bars {
  readonly spanMs: number
  readonly columns: Columns
}

/** The candles in the shortest span that gives at most `points` of them. */
export const fitted = (columns: Columns, points: number): Bars => {
  const stretch = (columns.at[columns.length - 1] ?? 0) - (columns.at[0] ?? 0)
  const spacing = spacingOf(columns)
  if (columns.length <= points) return { spanMs: spacing, columns }
  const spanMs = spanFor(stretch, points, spacing)
  return { spanMs, columns: joined(columns, spanMs) }
}

/** No candles. */
export const NONE: Columns = {
  at: new Float64Array(0),
  open: new Float64Array(0),
  high: new Float64Array(0),
  low: new Float64Array(0),
  close: new Float64Array(0),
  length: 0
}

/** Merges two recordings of one market, sorted by time. Where both have a candle, the first recording wins. */
export const merged = (first: Columns, second: Columns): Columns => {
  if (second.length === 0) return first
  if (first.length === 0) return second
  const most = first.length + second.length
  const rows = columned(most)
  let length = 0
  const put = (from: Columns, row: number) => {
    rows.at[length] = from.at[row] ?? 0
    rows.open[length] = from.open[row] ?? 0
    rows.high[length] = from.high[row] ?? 0
    rows.low[length] = from.low[row] ?? 0
    rows.close[length] = from.close[row] ?? 0
    rows.volume[length] = from.volume?.[row] ?? Number.NaN
    length++
  }
  let one = 0
  let other = 0
  while (one < first.length || other < second.length) {
    const at = first.at[one] ?? Number.POSITIVE_INFINITY
    const that = second.at[other] ?? Number.POSITIVE_INFINITY
    if (at <= that) put(first, one++)
    else put(second, other++)
    if (at === that) other++
  }
  return section(rows, 0, length)
}
