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
 * is a header. Empty lines are passed over. Each row has to be later than the one before: rows out of
 * order, or of one time, are rather a mistake in the making of the file than candles to trade on.
 */
export const parse = (bytes: Uint8Array): Either.Either<Columns, CandleFlaw> => {
  const most = countLines(bytes)
  const rows = {
    at: new Float64Array(most),
    open: new Float64Array(most),
    high: new Float64Array(most),
    low: new Float64Array(most),
    close: new Float64Array(most)
  }
  const reader: Reader = {
    bytes,
    fields: new Float64Array(FIELDS.length),
    count: 0,
    at: startOf(bytes),
    line: 0
  }
  const { fields } = reader
  let length = 0
  let last = -1
  while (reader.at < bytes.length) {
    const found = readRow(reader)
    if (found === "none") continue
    const text = flawOf(reader)
    if (text !== undefined) return Either.left({ line: reader.line, text })
    const at = fields[0] ?? 0
    if (at <= last) return Either.left({ line: reader.line, text: outOfOrder(at, last) })
    last = at
    rows.at[length] = at
    rows.open[length] = fields[1] ?? 0
    rows.high[length] = fields[2] ?? 0
    rows.low[length] = fields[3] ?? 0
    rows.close[length] = fields[4] ?? 0
    length++
  }
  return Either.right(cut(rows, length))
}

const outOfOrder = (at: number, last: number): string =>
  at === last
    ? "timestamp stands in the file twice"
    : "timestamp is before the last one: rows have to be in order of time"

const NEWLINE = 10
const RETURN = 13
const COMMA = 44
const FIELDS = ["timestamp", "open", "high", "low", "close", "volume"] as const

/** `at` is the next byte, `line` the line read last; the first `count` of `fields` are its numbers. */
interface Reader {
  readonly bytes: Uint8Array
  readonly fields: Float64Array
  count: number
  at: number
  line: number
}

/** A byte order mark is passed over. */
const startOf = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0

const countLines = (bytes: Uint8Array): number => {
  let lines = 1
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++
  return lines
}

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
    if (byte === 46 && places < 0) places = 0
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
const flawOf = ({ count, fields }: Reader): string | undefined => {
  const at = fields[0] ?? 0
  const open = fields[1] ?? 0
  const high = fields[2] ?? 0
  const low = fields[3] ?? 0
  const close = fields[4] ?? 0
  const volume = fields[5] ?? 0
  if (count < 5) return `has ${count} fields, needs timestamp,open,high,low,close,volume`
  if (!Number.isSafeInteger(at) || at < 0) return "timestamp is not a whole number of milliseconds"
  if (!isPrice(open)) return "open is not a price above 0"
  if (!isPrice(high)) return "high is not a price above 0"
  if (!isPrice(low)) return "low is not a price above 0"
  if (!isPrice(close)) return "close is not a price above 0"
  if (count > 5 && !(volume >= 0)) return "volume is not a number of 0 or more"
  if (low > Math.min(open, close)) return "low is above open or close"
  return high < Math.max(open, close) ? "high is below open or close" : undefined
}

const isPrice = (value: number): boolean => value > 0 && value < Number.POSITIVE_INFINITY

const cut = (rows: Omit<Columns, "length">, length: number): Columns => ({
  at: rows.at.subarray(0, length),
  open: rows.open.subarray(0, length),
  high: rows.high.subarray(0, length),
  low: rows.low.subarray(0, length),
  close: rows.close.subarray(0, length),
  length
})
