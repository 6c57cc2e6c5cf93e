import { readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join as joinPath, resolve } from "node:path"
import * as Arr from "effect/Array"
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import { join } from "../domain/CandleColumns.ts"
import { type Columns, explainFlaw, parse } from "../domain/CandleFile.ts"
import {
  type ExchangeName,
  isExchangeName,
  isPair,
  type MarketId,
  type MarketKind,
  type Pair,
  QUOTE_CURRENCIES
} from "../domain/Market.ts"
import { isGzip, unpack } from "./tape/Member.ts"

/** Recorded candles, and the pair that they price: the spot market and the perpetual alike. */
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
 * `binance_BTCUSDT_1m.csv.gz`, `kraken_BTC-USD.csv` or `bybit/BTC-USDT-spot/2024-01.csv.gz`. Files of one market are
 * one recording, in order of time. Where a pair's spot market and its perpetual were recorded both, spot is taken:
 * one price serves both.
 */
export const read = (path: string): Either.Either<ReadonlyArray<Recording>, RecordingUnreadable> => {
  try {
    const files = statSync(path).isDirectory() ? filesBelow(path) : [path]
    if (files.length === 0) return refuse(path, "there is no .csv or .csv.gz file in it")
    return Either.flatMap(Either.all(files.map(readOne)), joined)
  } catch (cause) {
    return refuse(path, cause instanceof Error ? cause.message : String(cause))
  }
}

const refuse = (path: string, reason: string) => Either.left(new RecordingUnreadable({ path, reason }))

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.csv(\.gz)?$/.test(entry.name))
    .map((entry) => joinPath(entry.parentPath, entry.name))
    .sort()

/** What one file holds, and of which market. */
interface Reel extends Recording {
  readonly path: string
  readonly kind: MarketKind
}

const readOne = (path: string): Either.Either<Reel, RecordingUnreadable> => {
  const market = marketOf(path)
  if (market === undefined) {
    return refuse(path, "its name does not say what it prices: call it like binance_BTC-USDT.csv.gz")
  }
  const bytes = readFileSync(path)
  const columns = parse(isGzip(bytes) ? unpack(bytes) : bytes)
  if (Either.isLeft(columns)) return refuse(path, explainFlaw(columns.left))
  return Either.right({ ...market, path, columns: columns.right })
}

const joined = (files: ReadonlyArray<Reel>): Either.Either<ReadonlyArray<Recording>, RecordingUnreadable> =>
  Either.all(Object.values(Arr.groupBy(files, ({ exchange, pair }) => `${exchange}:${pair}`)).map(joinedPair))

const joinedPair = (files: Arr.NonEmptyArray<Reel>): Either.Either<Recording, RecordingUnreadable> => {
  const spot = files.filter(({ kind }) => kind === "spot")
  const chosen = Arr.isNonEmptyArray(spot) ? spot : files
  const [{ exchange, pair }] = chosen
  return Either.mapBoth(join(chosen.map(({ columns, path }) => ({ name: path, columns }))), {
    onLeft: ({ first, second }) => new RecordingUnreadable({ path: second, reason: overlapping(first) }),
    onRight: (columns) => ({ exchange, pair, columns })
  })
}

/** What is wrong with a file of candles, given another one of its market. */
export const overlapping = (other: string): string =>
  `it overlaps in time with ${other}, which is of the same market`

/** The market that a path names; spot where it says nothing of a kind. */
export const marketOf = (path: string): MarketId | undefined => {
  const parts = resolve(path).split(/[/\\]/).slice(-3)
  const words = [...basename(path).split("_"), ...parts]
  const exchange = words.find(isExchangeName)
  const pair = words.map(pairOf).find((pair) => pair !== undefined)
  const kind = words.some((word) => /-swap(?:\.csv.*)?$/.test(word)) ? "swap" : "spot"
  return exchange === undefined || pair === undefined ? undefined : { exchange, pair, kind }
}

/** `BTC-USDT`, `BTC-USDT-spot` or `BTCUSDT` as a pair; not `2024-01`, which is a month. */
const pairOf = (word: string): Pair | undefined => {
  if (/^\d{4}-\d\d(?:\D|$)/.test(word)) return undefined
  const [, base, quote] = /^([A-Z0-9]+)-([A-Z0-9]+)(?:-(?:spot|swap))?(?:\.csv.*)?$/.exec(word) ?? []
  const text = base === undefined ? unhyphened(word.replace(/\.csv.*$/, "")) : `${base}/${quote}`
  return text !== undefined && isPair(text) ? text : undefined
}

const unhyphened = (word: string): string | undefined => {
  const quote = [...QUOTE_CURRENCIES, "USDC", "EUR"].find(
    (quote) => word.endsWith(quote) && word.length > quote.length
  )
  return quote === undefined ? undefined : `${word.slice(0, -quote.length)}/${quote}`
}
