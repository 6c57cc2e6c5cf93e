// Reads files of candles and alerts: unpacks them, and looks at their first and last rows. The server parses them.

import { dateOf, millisOf, real, unitOf } from "../../../domain/candles/CandleTime.ts"

/** The largest request in bytes; the server refuses more. */
export const MOST_BYTES = 32 * 1024 * 1024

/** A file's text, unpacked if its content is gzip, whatever its name. */
export const textOf = async (file: File): Promise<string> => {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (head[0] !== 0x1f || head[1] !== 0x8b) return file.text()
  try {
    const members = membersOf(new Uint8Array(await file.arrayBuffer()))
    const texts: Array<string> = []
    for (let at = 0; at < members.length; at += AT_ONCE)
      texts.push(...(await Promise.all(members.slice(at, at + AT_ONCE).map(unpacked))))
    return texts.join("")
  } catch {
    throw new Error("cannot be unpacked: unpack it first, or choose recorded prices")
  }
}

const AT_ONCE = 64

/** Writes all bytes at once: a month has tens of thousands of members, and piping takes seven times as long. */
const unpacked = (packed: Uint8Array<ArrayBuffer>): Promise<string> => {
  const { readable, writable } = new DecompressionStream("gzip")
  const writer = writable.getWriter()
  // Reading reports the errors.
  writer.write(packed).catch(() => undefined)
  writer.close().catch(() => undefined)
  return new Response(readable).text()
}

/**
 * The gzip members of a file. A recording in progress is a chain of members whose headers hold their length, and
 * browsers unpack only the first. A truncated last member is dropped; any other gzip is one member.
 */
export const membersOf = (bytes: Uint8Array<ArrayBuffer>): ReadonlyArray<Uint8Array<ArrayBuffer>> => {
  const members: Array<Uint8Array<ArrayBuffer>> = []
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at)
    const isWhole = length !== undefined && at + length <= bytes.length
    if (!isWhole && members.length > 0 && length !== undefined) break
    members.push(bytes.subarray(at, isWhole ? at + length : bytes.length))
    at = isWhole ? at + length : bytes.length
  }
  return members
}

/** Gzip, deflate, with an extra field of 8 bytes: `SB`, 4 bytes long. */
const HEADER = [0x1f, 0x8b, 8, 4] as const
const EXTRA = [8, 0, 0x53, 0x42, 4, 0] as const
const EXTRA_AT = 10
const LENGTH_AT = 16
/** A member's header takes 20 bytes and its trailer 8. */
const LEAST_BYTES = 28

const lengthAt = (bytes: Uint8Array<ArrayBuffer>, at: number): number | undefined => {
  const stands = (expected: ReadonlyArray<number>, from: number) =>
    expected.every((byte, place) => bytes[from + place] === byte)
  if (bytes.length < at + LEAST_BYTES || !stands(HEADER, at) || !stands(EXTRA, at + EXTRA_AT))
    return undefined
  const length = new DataView(bytes.buffer, bytes.byteOffset + at + LENGTH_AT, 4).getUint32(0, true)
  return length > LEAST_BYTES ? length : undefined
}

/** Facts about a candle file from its first and last rows. Times in seconds. */
export interface Glance {
  readonly rows: number
  readonly from: number | undefined
  readonly to: number | undefined
}

export const glanceAt = (text: string): Glance => {
  const end = text.trimEnd()
  if (/^\ufeff?\s*\[\s*\[/.test(end.slice(0, 40))) return glanceAtLists(end)
  const last = timeOf(end.slice(end.lastIndexOf("\n") + 1))
  const second = end.indexOf("\n") + 1
  const first = timeOf(end) ?? timeOf(end.slice(second, second + ROW_START))
  const rows = end === "" ? 0 : 1 + countOf(end, "\n")
  return { rows: timeOf(end) === undefined ? Math.max(0, rows - 1) : rows, from: first, to: last }
}

/** Freqtrade's JSON: a list of rows. */
const glanceAtLists = (text: string): Glance => ({
  rows: countOf(text, "[") - 1,
  from: timeOf(text.slice(text.indexOf("[", text.indexOf("[") + 1) + 1)),
  to: timeOf(text.slice(text.lastIndexOf("[") + 1))
})

const countOf = (text: string, sign: string): number => {
  let count = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count++
  return count
}

/** The characters of a row in which its time is searched. */
const ROW_START = 60

/** The time at the start of a row, in seconds, whatever its unit; undefined if there is none. */
const timeOf = (row: string): number | undefined => {
  const [, cell = ""] = /^\ufeff?\s*"?([^,"]+)"?\s*,/.exec(row.slice(0, ROW_START)) ?? []
  const number = cell.trim() === "" ? Number.NaN : Number(cell)
  const at = Number.isNaN(number) ? dateOf(cell.trim()) : millisOf(number, unitOf(number, real(0)))
  return at === undefined || Number.isNaN(at) ? undefined : Math.floor(at / 1000)
}

const QUOTES = "USDT|USDC|USD|BTC|ETH|EUR"

/** The pair in a file's name, as in `binance_BTCUSDT_1m.csv.gz` or `ETH-USD.csv`. */
export const pairIn = (name: string): string | undefined => {
  const words = name.toUpperCase().replace(/\.(?:CSV|JSON).*$/, "")
  const apart = new RegExp(
    `(?:^|[^A-Z0-9])([A-Z0-9]{2,12})[-/_ ](${QUOTES})(?![A-Z0-9]|[-/_ ](?:${QUOTES}))`
  ).exec(words)
  const together = new RegExp(`(?:^|[^A-Z0-9])([A-Z0-9]{2,12}?)(${QUOTES})(?![A-Z0-9])`).exec(words)
  const [, base, quote] = apart ?? together ?? []
  return base === undefined ? undefined : `${base}/${quote}`
}

/** Whether a text holds alerts or a list of trades. */
export const kindOf = (text: string): "alerts" | "trades" =>
  /^\ufeff?\s*[{[]/.test(text.slice(0, 200)) ? "alerts" : "trades"
