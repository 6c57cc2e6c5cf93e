// Reads candle files: CSV by position (`timestamp,open,high,low,close,volume`) or JSON. Each row must be later than the
// one before, and all times of a file share one unit. Candles may be missing: nothing is filled in.
import * as Either from "effect/Either"
import { MAX_AMOUNT } from "../requests/Bounds.ts"
import * as CandleJson from "./CandleJson.ts"
import * as CandleRowReader from "./CandleRowReader.ts"
import * as CandleTime from "./CandleTime.ts"

/**
 * Candles as columns of equal length, sorted by time (ms); prices in quote. `volume` is in base, NaN at a candle without
 * one; rules read it, and it may be left out.
 *
 * @example
 * ```ts
 * import type { Columns } from "signalbox/domain/candles/CandleFile"
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
  readonly volume?: Float64Array
  readonly length: number
}

/** The first error in a candle file, with its line, or its row in a JSON text (from 1). */
export interface CandleFileError {
  readonly line: number
  readonly place: "line" | "row"
  readonly text: string
}

/** The error as a text: the line or row, counted from 1, and what is wrong. */
export const explainError = ({ line, place, text }: CandleFileError): string => `${place} ${line}: ${text}`

/**
 * Reads a candle file, CSV or JSON.
 *
 * CSV is `timestamp,open,high,low,close,volume` by position; a first line without numbers is a header, and empty lines
 * are skipped. JSON is a list of such rows (freqtrade), a list of objects, or `{"columns", "data"}` (pandas).
 *
 * Times are milliseconds since 1970; or seconds, microseconds or nanoseconds, told apart by size; or ISO 8601 dates,
 * UTC without a zone. All times of a file have one unit and lie within `times`. A row that is not later than the one
 * before is an error: unsorted or repeated rows suggest that the file was made wrongly.
 */
export const parse = (
  bytes: Uint8Array,
  times: CandleTime.FileTimes
): Either.Either<Columns, CandleFileError> => {
  const start = startOf(bytes)
  return CandleJson.isJson(bytes, start) ? parseJson(bytes, times) : parseCsv(bytes, start, times)
}

const parseJson = (
  bytes: Uint8Array,
  times: CandleTime.FileTimes
): Either.Either<Columns, CandleFileError> => {
  const table = CandleJson.tableOf(decoder.decode(bytes))
  if (Either.isLeft(table)) return Either.left({ line: 1, place: "line", text: table.left })
  const rows = CandleRowReader.make(times, table.right.length)
  for (const [index, cells] of table.right.entries()) {
    CandleJson.fill(rows, cells)
    const text = CandleRowReader.take(rows)
    if (text !== undefined) return Either.left({ line: index + 1, place: "row", text })
  }
  return Either.right(CandleRowReader.cut(rows))
}

const parseCsv = (
  bytes: Uint8Array,
  start: number,
  times: CandleTime.FileTimes
): Either.Either<Columns, CandleFileError> => {
  const rows = CandleRowReader.make(times, Math.ceil(bytes.length / USUAL_ROW_BYTES) + 1)
  const reader: Reader = { bytes, rows, at: start, line: 0 }
  while (reader.at < bytes.length) {
    if (takePlainRow(reader) || readRow(reader) === "none") continue
    const text = CandleRowReader.take(rows)
    if (text !== undefined) return Either.left({ line: reader.line, place: "line", text })
  }
  return Either.right(CandleRowReader.cut(rows))
}

const NEWLINE = 10
const RETURN = 13
const COMMA = 44
const POINT = 46

/** The usual bytes of a row; for shorter rows the columns grow while reading. */
const USUAL_ROW_BYTES = 40

/** `at` is the next byte, `line` the last line read. */
interface Reader {
  readonly bytes: Uint8Array
  readonly rows: CandleRowReader.CandleRows
  at: number
  line: number
}

/**
 * The fast path for nearly all rows: six plain numbers that make a sound candle, later than the one before. Anything
 * else stays unread for the careful reader, which understands it or names its error.
 */
const takePlainRow = (reader: Reader): boolean => {
  const { rows } = reader
  const from = reader.at
  const time = plainNumber(reader, COMMA)
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
  const at = (time * rows.factor) / rows.per
  // The first row never comes here: it determines the unit of the times.
  if (sound && at > rows.last && time < rows.end && Math.floor(at) === at) {
    reader.line++
    CandleRowReader.put(rows, { at, open, high, low, close, volume })
    return true
  }
  reader.at = from
  return false
}

/** Up to 15 digits with at most one point, or an integer that a double holds exactly, up to `end`; else NaN. */
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
  if (byte !== end || count === 0) return Number.NaN
  if (count > 15 && (places > 0 || digits > Number.MAX_SAFE_INTEGER)) return Number.NaN
  return places === 0 ? digits : digits / (POWERS[places] ?? 1)
}

/** Skips a byte order mark. */
const startOf = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0

/** Reads the next line; "none" for an empty line or the header. */
const readRow = (reader: Reader): "row" | "none" => {
  const { bytes, rows } = reader
  const newline = bytes.indexOf(NEWLINE, reader.at)
  const end = newline < 0 ? bytes.length : newline
  const stop = end > reader.at && bytes[end - 1] === RETURN ? end - 1 : end
  let begin = reader.at
  reader.at = end + 1
  reader.line++
  rows.count = 0
  if (isBlank(bytes, begin, stop)) return "none"
  for (let i = begin; i <= stop && rows.count < CandleRowReader.FIELDS.length; i++) {
    if (i < stop && bytes[i] !== COMMA) continue
    const number = numberIn(bytes, begin, i)
    const isDate = rows.count === 0 && Number.isNaN(number)
    if (rows.count === 0) rows.isDate = isDate
    rows.fields[rows.count] = isDate ? dateIn(bytes, begin, i) : number
    rows.count++
    begin = i + 1
  }
  return reader.line === 1 && Number.isNaN(rows.fields[0]) && Number.isNaN(rows.fields[1]) ? "none" : "row"
}

/** A cell that is no number may be a date, quoted or not. */
const dateIn = (bytes: Uint8Array, from: number, to: number): number =>
  CandleTime.dateOf(decoder.decode(bytes.subarray(from, to)).replaceAll('"', "").trim())

const isBlank = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let i = from; i < to; i++) if (bytes[i] !== 32 && bytes[i] !== 9) return false
  return true
}

/** Up to 15 plain digits are read directly, with the same result as `Number`; anything else by `Number`. */
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
