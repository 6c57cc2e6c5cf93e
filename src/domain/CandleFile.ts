import * as Either from "effect/Either"

/** Candles as columns, in order of time (ms); prices in quote. All of one length. */
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

export const explainFlaw = (flaw: CandleFlaw): string => `line ${flaw.line}: ${flaw.text}`

/**
 * Reads `timestamp(ms),open,high,low,close,volume` rows by position; a first line that does not begin with a number
 * is a header. Empty lines are passed over. Rows that are out of order are put in order of time.
 */
export const parse = (bytes: Uint8Array): Either.Either<Columns, CandleFlaw> => {
  const most = countLines(bytes)
  const rows = {
    at: new Float64Array(most),
    open: new Float64Array(most),
    high: new Float64Array(most),
    low: new Float64Array(most),
    close: new Float64Array(most),
    line: new Uint32Array(most)
  }
  const reader: Reader = { bytes, at: startOf(bytes), line: 0 }
  let length = 0
  let sorted = true
  while (reader.at < bytes.length) {
    reader.line++
    const row = readRow(reader)
    if (row === undefined) continue
    if (typeof row === "string") return Either.left({ line: reader.line, text: row })
    rows.at[length] = row.at
    rows.open[length] = row.open
    rows.high[length] = row.high
    rows.low[length] = row.low
    rows.close[length] = row.close
    rows.line[length] = reader.line
    sorted = sorted && (length === 0 || row.at > (rows.at[length - 1] ?? 0))
    length++
  }
  const columns = cut(rows, length)
  return sorted ? Either.right(columns) : ordered(columns, rows.line)
}

const NEWLINE = 10
const RETURN = 13
const COMMA = 44
const FIELDS = ["timestamp", "open", "high", "low", "close", "volume"] as const

interface Reader {
  readonly bytes: Uint8Array
  at: number
  line: number
}

interface Row {
  readonly at: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** A byte order mark is passed over. */
const startOf = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0

const countLines = (bytes: Uint8Array): number => {
  let lines = 1
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++
  return lines
}

/** The next row; nothing for an empty line or the header, a text for a flaw. Leaves the reader after the line. */
const readRow = (reader: Reader): Row | string | undefined => {
  const { bytes } = reader
  const from = reader.at
  const newline = bytes.indexOf(NEWLINE, from)
  const end = newline < 0 ? bytes.length : newline
  reader.at = end + 1
  const stop = end > from && bytes[end - 1] === RETURN ? end - 1 : end
  if (stop === from || isBlank(bytes, from, stop)) return undefined
  const fields = readFields(bytes, from, stop)
  if (reader.line === 1 && !Number.isFinite(fields[0])) return undefined
  return rowOf(fields)
}

const isBlank = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let i = from; i < to; i++) if (bytes[i] !== 32 && bytes[i] !== 9) return false
  return true
}

const readFields = (bytes: Uint8Array, from: number, to: number): ReadonlyArray<number> => {
  const fields: Array<number> = []
  let begin = from
  for (let i = from; i <= to && fields.length < FIELDS.length; i++) {
    if (i < to && bytes[i] !== COMMA) continue
    fields.push(numberIn(bytes, begin, i))
    begin = i + 1
  }
  return fields
}

/** Plain digits with up to 15 of them are read directly, exactly as `Number` would; anything else by `Number`. */
const numberIn = (bytes: Uint8Array, from: number, to: number): number => {
  let digits = 0
  let places = -1
  let count = 0
  for (let i = from; i < to; i++) {
    const byte = bytes[i] ?? 0
    if (byte === 46 && places < 0) places = 0
    else if (byte >= 48 && byte <= 57 && count < 15) {
      digits = digits * 10 + (byte - 48)
      if (digits > 0) count++
      if (places >= 0) places++
    } else return slowNumber(bytes, from, to)
  }
  if (to - from - (places >= 0 ? 1 : 0) === 0 || places > 22) return slowNumber(bytes, from, to)
  return places > 0 ? digits / 10 ** places : digits
}

const decoder = new TextDecoder()
const slowNumber = (bytes: Uint8Array, from: number, to: number): number => {
  const text = decoder.decode(bytes.subarray(from, to)).trim()
  return text === "" ? Number.NaN : Number(text)
}

const rowOf = (fields: ReadonlyArray<number>): Row | string => {
  const [
    at = Number.NaN,
    open = Number.NaN,
    high = Number.NaN,
    low = Number.NaN,
    close = Number.NaN,
    volume
  ] = fields
  if (fields.length < 5) return `has ${fields.length} fields, needs timestamp,open,high,low,close,volume`
  if (!Number.isSafeInteger(at) || at < 0) return "timestamp is not a whole number of milliseconds"
  const prices = [open, high, low, close]
  const bad = prices.findIndex((price) => !(price > 0 && price < Number.POSITIVE_INFINITY))
  if (bad >= 0) return `${FIELDS[bad + 1]} is not a price above 0`
  if (volume !== undefined && !(volume >= 0)) return "volume is not a number of 0 or more"
  if (low > Math.min(open, close)) return "low is above open or close"
  if (high < Math.max(open, close)) return "high is below open or close"
  return { at, open, high, low, close }
}

const cut = (rows: Omit<Columns, "length">, length: number): Columns => ({
  at: rows.at.subarray(0, length),
  open: rows.open.subarray(0, length),
  high: rows.high.subarray(0, length),
  low: rows.low.subarray(0, length),
  close: rows.close.subarray(0, length),
  length
})

/** Files that run from new to old are common; two rows of one time are not candles of one market. */
const ordered = (columns: Columns, lines: Uint32Array): Either.Either<Columns, CandleFlaw> => {
  const order = Array.from({ length: columns.length }, (_, index) => index)
  const time = (index: number) => columns.at[index] ?? 0
  order.sort((left, right) => time(left) - time(right) || left - right)
  const twice = order.findIndex((index, place) => place > 0 && time(index) === time(order[place - 1] ?? 0))
  const later = order[twice]
  if (later !== undefined)
    return Either.left({ line: lines[later] ?? 0, text: "timestamp stands in the file twice" })
  const sorted = (column: Float64Array) => Float64Array.from(order, (index) => column[index] ?? 0)
  return Either.right({
    at: sorted(columns.at),
    open: sorted(columns.open),
    high: sorted(columns.high),
    low: sorted(columns.low),
    close: sorted(columns.close),
    length: columns.length
  })
}
