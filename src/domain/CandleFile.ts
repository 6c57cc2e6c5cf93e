import * as Either from "effect/Either"
import { isPrice, MAX_AMOUNT, PRICE_WORDS } from "./Bounds.ts"

/**
 * Candles as columns, in order of time (ms); prices in quote. All of one length.
 *
 * @example
 * ```ts
 * import type { Columns } from "signalbox/domain/CandleFile"
 *
 * const twoHours: Columns = {
 *   at: Float64Array.of(1_735_689_600_000, 1_735_693_200_000),
 *   open: Float64Array.of(60_000, 60_500),
 *   high: Float64Array.of(60_700, 61_000),
 *   low: Float64Array.of(59_900, 60_300),
 *   close: Float64Array.of(60_500, 60_800),
 *   length: 2
 * }
 * ```
 */
export interface Columns {
  readonly at: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly length: number
}

/** What is wrong with a candle file, and in which line (from 1). */
export interface CandleFlaw {
  readonly line: number
  readonly text: string
}

/** A flaw as people read it: the line's number, counted from 1, and what is wrong with it. */
export const explainFlaw = (flaw: CandleFlaw): string => `line ${flaw.line}: ${flaw.text}`

/**
 * Reads `timestamp(ms),open,high,low,close,volume` rows by position; a first line that does not begin with a number
 * is a header. Empty lines are passed over. Each row has to be later than the one before: rows out of
 * order, or of one time, are rather a mistake in the making of the file than candles to trade on.
 */
export const parse = (bytes: Uint8Array): Either.Either<Columns, CandleFlaw> => {
  const reader: Reader = {
    bytes,
    fields: new Float64Array(FIELDS.length),
    rows: columnsOf(Math.ceil(bytes.length / USUAL_ROW_BYTES) + 1),
    length: 0,
    last: -1,
    count: 0,
    at: startOf(bytes),
    line: 0
  }
  while (reader.at < bytes.length) {
    if (reader.length === reader.rows.at.length) reader.rows = grown(reader.rows)
    if (takePlainRow(reader) || readRow(reader) === "none") continue
    const text = flawOf(reader)
    if (text !== undefined) return Either.left({ line: reader.line, text })
    const [at = 0, open = 0, high = 0, low = 0, close = 0] = reader.fields
    put(reader, at, open, high, low, close)
  }
  return Either.right(cut(reader.rows, reader.length))
}

const outOfOrder = (at: number, last: number): string =>
  at === last
    ? "timestamp stands in the file twice"
    : "timestamp is before the last one: rows have to be in order of time"

const NEWLINE = 10
const RETURN = 13
const COMMA = 44
const POINT = 46
const FIELDS = ["timestamp", "open", "high", "low", "close", "volume"] as const

/** Where rows are as short as this or shorter, columns have to grow on the way. */
const USUAL_ROW_BYTES = 40

type Rows = Omit<Columns, "length">

/**
 * `at` is the next byte, `line` the line read last, `last` the time of the row before; the first `count` of `fields`
 * are the numbers of the row under way, and `rows` hold `length` of them.
 */
interface Reader {
  readonly bytes: Uint8Array
  readonly fields: Float64Array
  rows: Rows
  length: number
  last: number
  count: number
  at: number
  line: number
}

const put = (reader: Reader, at: number, open: number, high: number, low: number, close: number): void => {
  const { length, rows } = reader
  rows.at[length] = at
  rows.open[length] = open
  rows.high[length] = high
  rows.low[length] = low
  rows.close[length] = close
  reader.length = length + 1
  reader.last = at
}

/**
 * Nearly all rows: six plain numbers that make a sound candle, later than the one before. Anything else is left where
 * it stands, for the careful reader to understand or to name the flaw in.
 */
const takePlainRow = (reader: Reader): boolean => {
  const from = reader.at
  const at = plainNumber(reader, COMMA)
  const open = plainNumber(reader, COMMA)
  const high = plainNumber(reader, COMMA)
  const low = plainNumber(reader, COMMA)
  const close = plainNumber(reader, COMMA)
  const volume = plainNumber(reader, NEWLINE)
  const sound =
    low > 0 &&
    low <= open &&
    low <= close &&
    high >= open &&
    high >= close &&
    high <= MAX_AMOUNT &&
    volume >= 0
  if (sound && at > reader.last && Math.floor(at) === at) {
    reader.line++
    put(reader, at, open, high, low, close)
    return true
  }
  reader.at = from
  return false
}

/** Up to 15 digits with at most one point among them, and the end; not a number where anything else stands there. */
const plainNumber = (reader: Reader, end: number): number => {
  const { bytes } = reader
  let at = reader.at
  let places = 0
  let digits = 0
  let byte = bytes[at] ?? 0
  for (; byte >= 48 && byte <= 57; byte = bytes[++at] ?? 0) digits = digits * 10 + (byte - 48)
  let count = at - reader.at
  if (byte === POINT) {
    const point = at
    byte = bytes[++at] ?? 0
    for (; byte >= 48 && byte <= 57; byte = bytes[++at] ?? 0) digits = digits * 10 + (byte - 48)
    places = at - point - 1
    count += places
  }
  if (byte === RETURN && end === NEWLINE) byte = bytes[++at] ?? 0
  reader.at = at + 1
  if (byte !== end || count === 0 || count > 15) return Number.NaN
  return places === 0 ? digits : digits / (POWERS[places] ?? 1)
}

const columnsOf = (length: number): Rows => ({
  at: new Float64Array(length),
  open: new Float64Array(length),
  high: new Float64Array(length),
  low: new Float64Array(length),
  close: new Float64Array(length)
})

const grown = (rows: Rows): Rows => {
  const larger = columnsOf(2 * rows.at.length)
  larger.at.set(rows.at)
  larger.open.set(rows.open)
  larger.high.set(rows.high)
  larger.low.set(rows.low)
  larger.close.set(rows.close)
  return larger
}

/** A byte order mark is passed over. */
const startOf = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0

/** Reads the next line; none where it is empty or the header. */
const readRow = (reader: Reader): "row" | "none" => {
  const { bytes, fields } = reader
  const newline = bytes.indexOf(NEWLINE, reader.at)
  const end = newline < 0 ? bytes.length : newline
  const stop = end > reader.at && bytes[end - 1] === RETURN ? end - 1 : end
  let begin = reader.at
  reader.at = end + 1
  reader.line++
  reader.count = 0
  if (isBlank(bytes, begin, stop)) return "none"
  for (let i = begin; i <= stop && reader.count < FIELDS.length; i++) {
    if (i < stop && bytes[i] !== COMMA) continue
    fields[reader.count++] = numberIn(bytes, begin, i)
    begin = i + 1
  }
  return reader.line === 1 && Number.isNaN(fields[0]) ? "none" : "row"
}

const isBlank = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let i = from; i < to; i++) if (bytes[i] !== 32 && bytes[i] !== 9) return false
  return true
}

/** Plain digits with up to 15 of them are read directly, exactly as `Number` would; anything else by `Number`. */
const numberIn = (bytes: Uint8Array, from: number, to: number): number => {
  let digits = 0
  let places = -1
  let count = 0
  for (let i = from; i < to; i++) {
    const byte = bytes[i] ?? 0
    if (byte === POINT && places < 0) places = 0
    else if (byte >= 48 && byte <= 57 && count < 15) {
      digits = digits * 10 + (byte - 48)
      if (digits > 0) count++
      if (places >= 0) places++
    } else return slowNumber(bytes, from, to)
  }
  if (to - from - (places >= 0 ? 1 : 0) === 0 || places > 22) return slowNumber(bytes, from, to)
  return places > 0 ? digits / (POWERS[places] ?? 1) : digits
}

const POWERS: ReadonlyArray<number> = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

const decoder = new TextDecoder()
const slowNumber = (bytes: Uint8Array, from: number, to: number): number => {
  const text = decoder.decode(bytes.subarray(from, to)).trim()
  return text === "" ? Number.NaN : Number(text)
}

/** What is wrong with the row read last. */
const flawOf = ({ count, fields, last }: Reader): string | undefined => {
  const at = fields[0] ?? 0
  const open = fields[1] ?? 0
  const high = fields[2] ?? 0
  const low = fields[3] ?? 0
  const close = fields[4] ?? 0
  const volume = fields[5] ?? 0
  if (count < 5) return `has ${count} fields, needs timestamp,open,high,low,close,volume`
  if (!Number.isSafeInteger(at) || at < 0) return "timestamp is not a whole number of milliseconds"
  if (!isPrice(open)) return `open is not ${PRICE_WORDS}`
  if (!isPrice(high)) return `high is not ${PRICE_WORDS}`
  if (!isPrice(low)) return `low is not ${PRICE_WORDS}`
  if (!isPrice(close)) return `close is not ${PRICE_WORDS}`
  if (count > 5 && !(volume >= 0)) return "volume is not a number of 0 or more"
  if (low > Math.min(open, close)) return "low is above open or close"
  if (high < Math.max(open, close)) return "high is below open or close"
  return at <= last ? outOfOrder(at, last) : undefined
}

const cut = (rows: Rows, length: number): Columns => ({
  at: rows.at.subarray(0, length),
  open: rows.open.subarray(0, length),
  high: rows.high.subarray(0, length),
  low: rows.low.subarray(0, length),
  close: rows.close.subarray(0, length),
  length
})
