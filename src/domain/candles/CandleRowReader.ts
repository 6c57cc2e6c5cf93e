// Reads the rows of a candle file into columns and checks each: prices in bounds, low and high enclose open and
// close, times rising and in one unit. The first row sets the unit; `CandleTime` says which candle times are valid.
import { isPrice, PRICE_WORDS } from "../requests/Bounds.ts"
import * as CandleTime from "./CandleTime.ts"

/** The cells of a row, by position. @internal */
export const FIELDS = ["timestamp", "open", "high", "low", "close", "volume"] as const

interface Columned {
  readonly at: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

/**
 * The rows collected so far and the current row: the first `count` of `fields`. The first field is the time as written,
 * or its millisecond if it is a date (`isDate`).
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
  /** Set by the first row. */
  unit: CandleTime.Unit | undefined
  /** The scale of the unit. */
  factor: number
  per: number
  /** The first written time that is too late for this file; negative until the unit is known. */
  end: number
}

/** An empty collection with capacity for `room` rows. @internal */
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

/** Empty columns of a length. @internal */
export const columned = (length: number): Columned => ({
  at: new Float64Array(length),
  open: new Float64Array(length),
  high: new Float64Array(length),
  low: new Float64Array(length),
  close: new Float64Array(length),
  volume: new Float64Array(length)
})

/** A candle's time (ms), prices and volume, which is NaN where the row has none. @internal */
interface Row {
  readonly at: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Appends a sound row. @internal */
export const put = (rows: CandleRows, { at, close, high, low, open, volume }: Row): void => {
  const { length } = rows
  if (length === rows.columns.at.length) rows.columns = grown(rows.columns)
  const { columns } = rows
  columns.at[length] = at
  columns.open[length] = open
  columns.high[length] = high
  columns.low[length] = low
  columns.close[length] = close
  columns.volume[length] = volume
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
  larger.volume.set(columns.volume)
  return larger
}

/** The collected rows as columns. @internal */
export const cut = ({ columns, length }: CandleRows) => section(columns, 0, length)

/** Columns of a source that may have no volume. @internal */
type Cut = Omit<Columned, "volume"> & Partial<Pick<Columned, "volume">>

/** A view of the rows from `first` up to `end`, which it does not contain; it copies nothing. @internal */
export const section = (columns: Cut, first: number, end: number): Cut & { readonly length: number } => ({
  at: columns.at.subarray(first, end),
  open: columns.open.subarray(first, end),
  high: columns.high.subarray(first, end),
  low: columns.low.subarray(first, end),
  close: columns.close.subarray(first, end),
  ...(columns.volume === undefined ? {} : { volume: columns.volume.subarray(first, end) }),
  length: Math.max(end - first, 0)
})

/** Checks and appends the current row; returns its error, if any. @internal */
export const take = (rows: CandleRows): string | undefined => {
  if (rows.count < 5) return `has ${rows.count} fields, needs ${FIELDS.join(",")}`
  const at = millisOf(rows)
  if (typeof at === "string") return at
  const [, open = 0, high = 0, low = 0, close = 0] = rows.fields
  const volume = rows.count > 5 ? (rows.fields[5] ?? Number.NaN) : Number.NaN
  const error = errorOf(rows) ?? (at <= rows.last ? outOfOrder(at, rows.last) : undefined)
  if (error === undefined) put(rows, { at, open, high, low, close, volume })
  return error
}

/** The time of the current row (ms), or its error. */
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

/** Sets the unit of all further times. */
const measure = (rows: CandleRows, unit: CandleTime.Unit): void => {
  const { factor, per } = CandleTime.SCALES[unit]
  rows.unit = unit
  rows.factor = factor
  rows.per = per
  rows.end = unit === "dates" ? -1 : (CandleTime.endOf(rows.times) / factor) * per
}

const outOfOrder = (at: number, last: number): string =>
  at === last
    ? "timestamp is in the file twice"
    : "timestamp is before the last one: rows must be sorted by time"

/** The error in the prices of the current row. */
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
