// Files of candles and alerts as the page reads them: unpacked and looked at, and otherwise left to the server.

/** The most that one request may hold, in bytes: the server refuses more. */
export const MOST_BYTES = 32 * 1024 * 1024

/** A file's text. What is packed with gzip is unpacked, whatever the file is called. */
export const textOf = async (file: File): Promise<string> => {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (head[0] !== 0x1f || head[1] !== 0x8b) return file.text()
  try {
    return await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text()
  } catch {
    throw new Error("cannot be unpacked: unpack it first, or choose recorded prices")
  }
}

/** What can be seen of a file of candles without reading it all. Times in seconds. */
export interface Glance {
  readonly rows: number
  readonly from: number | undefined
  readonly to: number | undefined
}

export const glanceAt = (csv: string): Glance => {
  const end = csv.trimEnd()
  const last = timeOf(end.slice(end.lastIndexOf("\n") + 1))
  const second = end.indexOf("\n") + 1
  const first = timeOf(end) ?? timeOf(end.slice(second, second + 40))
  let rows = end === "" ? 0 : 1
  for (let at = end.indexOf("\n"); at >= 0; at = end.indexOf("\n", at + 1)) rows++
  return { rows: timeOf(end) === undefined ? Math.max(0, rows - 1) : rows, from: first, to: last }
}

/** The time that a row begins with, in seconds; none where it begins with none. */
const timeOf = (row: string): number | undefined => {
  const [, digits] = /^\ufeff?\s*(\d{10,15})(?:\.0+)?,/.exec(row.slice(0, 40)) ?? []
  return digits === undefined ? undefined : Math.floor(Number(digits) / 1000)
}

const QUOTES = "USDT|USDC|USD|BTC|ETH|EUR"

/** The pair that a file is called after, as in `binance_BTCUSDT_1m.csv.gz` or `ETH-USD.csv`. */
export const pairIn = (name: string): string | undefined => {
  const words = name.toUpperCase().replace(/\.CSV.*$/, "")
  const apart = new RegExp(
    `(?:^|[^A-Z0-9])([A-Z0-9]{2,12})[-/_ ](${QUOTES})(?![A-Z0-9]|[-/_ ](?:${QUOTES}))`
  ).exec(words)
  const together = new RegExp(`(?:^|[^A-Z0-9])([A-Z0-9]{2,12}?)(${QUOTES})(?![A-Z0-9])`).exec(words)
  const [, base, quote] = apart ?? together ?? []
  return base === undefined ? undefined : `${base}/${quote}`
}

/** What a text of alerts is. */
export const kindOf = (text: string): "alerts" | "trades" =>
  /^\ufeff?\s*[{[]/.test(text.slice(0, 200)) ? "alerts" : "trades"
