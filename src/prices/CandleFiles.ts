import { readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import { type Columns, explainFlaw, parse } from "../domain/CandleFile.ts"
import { type ExchangeName, isExchangeName, isPair, type Pair, QUOTE_CURRENCIES } from "../domain/Market.ts"

/** A file of recorded candles, and the pair that it prices: the spot market and the perpetual alike. */
export interface Recording {
  readonly exchange: ExchangeName
  readonly pair: Pair
  readonly columns: Columns
}

export class RecordingUnreadable extends Data.TaggedError("RecordingUnreadable")<{
  readonly path: string
  readonly reason: string
}> {
  override get message() {
    return `cannot replay ${this.path}: ${this.reason}`
  }
}

/**
 * Reads one file, or all of a folder and its folders. A file is a CSV of
 * `timestamp(ms),open,high,low,close,volume`, gzipped or not, whose name (or folder's name) says what it prices:
 * `binance_BTCUSDT_1m.csv.gz`, `kraken_BTC-USD.csv` or `bybit/BTC-USDT-spot/2024-01.csv.gz`.
 */
export const read = (path: string): Either.Either<ReadonlyArray<Recording>, RecordingUnreadable> => {
  try {
    const files = statSync(path).isDirectory() ? filesBelow(path) : [path]
    if (files.length === 0) return refuse(path, "there is no .csv or .csv.gz file in it")
    return Either.all(files.map(readOne))
  } catch (cause) {
    return refuse(path, cause instanceof Error ? cause.message : String(cause))
  }
}

const refuse = (path: string, reason: string) => Either.left(new RecordingUnreadable({ path, reason }))

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.csv(\.gz)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

const readOne = (path: string): Either.Either<Recording, RecordingUnreadable> => {
  const market = marketOf(path)
  if (market === undefined) {
    return refuse(path, "its name does not say what it prices: call it like binance_BTC-USDT.csv.gz")
  }
  const bytes = readFileSync(path)
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? Bun.gunzipSync(bytes) : bytes
  const columns = parse(plain)
  if (Either.isLeft(columns)) return refuse(path, explainFlaw(columns.left))
  return Either.right({ ...market, columns: columns.right })
}

/** The exchange and the pair that a path names. */
export const marketOf = (
  path: string
): { readonly exchange: ExchangeName; readonly pair: Pair } | undefined => {
  const parts = path.split(/[/\\]/).slice(-3)
  const words = [...basename(path).split("_"), ...parts]
  const exchange = words.find(isExchangeName)
  const pair = words.map(pairOf).find((pair) => pair !== undefined)
  return exchange === undefined || pair === undefined ? undefined : { exchange, pair }
}

/** `BTC-USDT`, `BTC-USDT-spot` or `BTCUSDT` as a pair. */
const pairOf = (word: string): Pair | undefined => {
  const [, base, quote] = /^([A-Z0-9]+)-([A-Z0-9]+)(?:-(?:spot|swap))?(?:\.csv.*)?$/.exec(word) ?? []
  const text = base === undefined ? joined(word.replace(/\.csv.*$/, "")) : `${base}/${quote}`
  return text !== undefined && isPair(text) ? text : undefined
}

const joined = (word: string): string | undefined => {
  const quote = [...QUOTE_CURRENCIES, "USDC", "EUR"].find(
    (quote) => word.endsWith(quote) && word.length > quote.length
  )
  return quote === undefined ? undefined : `${word.slice(0, -quote.length)}/${quote}`
}
