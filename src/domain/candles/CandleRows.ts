import { isPrice, PRICE_WORDS } from "../requests/Bounds.ts"
import * as CandleTime from "./CandleTime.ts"

/** @internal The cells of a row, by position. */
export const FIELDS = ["timestamp", "open", "high", "low", "close", "volume"] as const

interface Columned {
  readonly at: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
}

/**
 * The rows of a file as they are taken. The first `count` of `fields` are the numbers of the row under way, the first
 * of them as it is written; where it is written as a date (`isDate`) it is the date's millisecond.
 *
 * @internal
 */
export interface CandleRows {
  readonly times: CandleTime.FileTimes
  readonly fields: Float64Array
  columns: Columned
  length: number
  /** The time of the row before (ms). */
  last: number
  count: number
  isDate: boolean
  /** Told by the first row. */
  unit: CandleTime.Unit | undefined
  /** The scale of the unit. */
  factor: number
  per: number
  /** The first number, as it is written, that is not a time of this file; below 0 where nothing is known yet. */
  end: number
}

/** @internal No rows yet, with room for so many. */
export const make = (times: CandleTime.FileTimes, room: number): CandleRows => ({
  times,
  fields: new Float64Array(FIELDS.length),
  columns: columned(room),
  length: 0,
  last: -1,
  count: 0,
  isDate: false,
  unit: undefined,
  factor: 1,
  per: 1,
  end: -1
})

const columned = (length: number): Columned => ({
  at: new Float64Array(length),
  open: new Float64Array(length),
  high: new Float64Array(length),
  low: new Float64Array(length),
  close: new Float64Array(length)
})

/** @internal Takes a sound row in. */
export const put = (
  rows: CandleRows,
  at: number,
  open: number,
  high: number,
  low: number,
  close: number
): void => {
  const { length } = rows
  if (length === rows.columns.at.length) rows.columns = grown(rows.columns)
  const { columns } = rows
  columns.at[length] = at
  columns.open[length] = open
  columns.high[length] = high
  columns.low[length] = low
  columns.close[length] = close
  rows.length = length + 1
  rows.last = at
}

const grown = (columns: Columned): Columned => {
  const larger = columned(2 * columns.at.length + 1)
  larger.at.set(columns.at)
  larger.open.set(columns.open)
  larger.high.set(columns.high)
  larger.low.set(columns.low)
  larger.close.set(columns.close)
  return larger
}

/** @internal All that was taken. */
export const cut = ({ columns, length }: CandleRows) => ({
  at: columns.at.subarray(0, length),
  open: columns.open.subarray(0, length),
  high: columns.high.subarray(0, length),
  low: columns.low.subarray(0, length),
  close: columns.close.subarray(0, length),
  length
})

/** @internal Takes the row under way in, or tells what is wrong with it. */
export const take = (rows: CandleRows): string | undefined => {
  if (rows.count < 5) return `has ${rows.count} fields, needs ${FIELDS.join(",")}`
  const at = millisOf(rows)
  if (typeof at === "string") return at
  const { fields } = rows
  const error = errorOf(rows) ?? (at <= rows.last ? outOfOrder(at, rows.last) : undefined)
  if (error === undefined) put(rows, at, fields[1] ?? 0, fields[2] ?? 0, fields[3] ?? 0, fields[4] ?? 0)
  return error
}

/** The time of the row under way (ms), or what is wrong with it. */
const millisOf = (rows: CandleRows): number | string => {
  const { times } = rows
  const value = rows.fields[0] ?? 0
  if (Number.isNaN(value))
    return "timestamp is not understood: write milliseconds since 1970, or a date like 2024-01-31T13:00:00Z"
  const unit = rows.isDate ? "dates" : CandleTime.unitOf(value, times)
  const at = CandleTime.millisOf(value, unit)
  if (at === undefined) return "timestamp is not a whole number of milliseconds"
  const error = CandleTime.errorOf(at, times)
  if (error !== undefined) return error
  if (rows.unit !== undefined && rows.unit !== unit)
    return `timestamp is written in ${unit}, and those before it in ${rows.unit}`
  if (rows.unit === undefined) measure(rows, unit)
  return at
}

/** From now on a time is taken to be written like this. */
const measure = (rows: CandleRows, unit: CandleTime.Unit): void => {
  const { factor, per } = CandleTime.SCALES[unit]
  rows.unit = unit
  rows.factor = factor
  rows.per = per
  rows.end = unit === "dates" ? -1 : (CandleTime.endOf(rows.times) / factor) * per
}

const outOfOrder = (at: number, last: number): string =>
  at === last
    ? "timestamp stands in the file twice"
    : "timestamp is before the last one: rows have to be in order of time"

/** What is wrong with the prices of the row under way. */
const errorOf = ({ count, fields }: CandleRows): string | undefined => {
  const open = fields[1] ?? 0
  const high = fields[2] ?? 0
  const low = fields[3] ?? 0
  const close = fields[4] ?? 0
  const volume = fields[5] ?? 0
  if (!isPrice(open)) return `open is not ${PRICE_WORDS}`
  if (!isPrice(high)) return `high is not ${PRICE_WORDS}`
  if (!isPrice(low)) return `low is not ${PRICE_WORDS}`
  if (!isPrice(close)) return `close is not ${PRICE_WORDS}`
  if (count > 5 && !(volume >= 0)) return "volume is not a number of 0 or more"
  if (low > Math.min(open, close)) return "low is above open or close"
  return high < Math.max(open, close) ? "high is below open or close" : undefined
}
