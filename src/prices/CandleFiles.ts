// Reads the candle files of a replay. The file's name says which market it prices; files of one market form one
// recording and must not overlap; spot wins over the perpetual of the same pair.
import { readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join as joinPath, resolve } from "node:path"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Columns, explainError, parse } from "../domain/candles/CandleFile.ts"
import { type FileTimes, MADE_UP, real } from "../domain/candles/CandleTime.ts"
import { TIMEFRAMES } from "../domain/candles/Timeframe.ts"
import {
  type ExchangeName,
  exchangeNameOf,
  isPair,
  type MarketId,
  type MarketKind,
  type Pair,
  QUOTE_CURRENCIES
} from "../domain/Market.ts"
import { isGzip, unpack } from "./tape/Member.ts"
import * as Place from "./tape/Place.ts"
import * as SeriesFiles from "./tape/SeriesFiles.ts"

/** Recorded candles and the pair they price, for its spot market and perpetual alike. */
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
 * Reads one file, or all files of a folder and its subfolders. A file is in any format of `CandleFile`, gzipped or not,
 * and its name (or its folder's) names its market: `binance_BTCUSDT_1m.csv.gz`, `kraken_BTC-USD.csv`,
 * `bybit/BTC-USDT-spot/2024-01.csv.gz` or freqtrade's `binance/BTC_USDT-5m.json`.
 */
export const read = (
  path: string,
  times: FileTimes
): Either.Either<ReadonlyArray<Recording>, RecordingUnreadable> => {
  try {
    const files = statSync(path).isDirectory() ? filesBelow(path) : [path]
    if (files.length === 0) return refuse(path, "there is no file of candles in it")
    return Either.flatMap(Either.all(files.map((file) => readOne(file, times))), joined)
  } catch (cause) {
    return refuse(path, cause instanceof Error ? cause.message : String(cause))
  }
}

/** Reads it now; `anyTime` if its times are made up. */
export const load = (path: string, anyTime: boolean) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => read(path, anyTime ? MADE_UP : real(now)))

const refuse = (path: string, reason: string) => Either.left(new RecordingUnreadable({ path, reason }))

const filesBelow = (folder: string): ReadonlyArray<string> =>
  finest(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && isCandleFile(entry.name))
      .map((entry) => joinPath(entry.parentPath, entry.name))
      .sort()
  )

/** Of a market's stored candles those of its shortest timeframe, and of a day the file that reaches furthest. */
const finest = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const stored = files.filter((file) => Place.dayIn(file) !== undefined)
  const days = Object.values(Arr.groupBy(stored, dirname)).flatMap((days) => {
    const longer = Place.timeframeIn(days[0]) !== "1m"
    const shorter = TIMEFRAMES.slice(0, TIMEFRAMES.indexOf(Place.timeframeIn(days[0])))
    const market = dirname(dirname(days[0]))
    const isCoarse =
      longer &&
      files.some(
        (file) => dirname(file) === market || shorter.some((it) => dirname(file) === joinPath(market, it))
      )
    return isCoarse
      ? []
      : SeriesFiles.filesAmong(days.map((file) => basename(file))).map(({ name }) =>
          joinPath(dirname(days[0]), name)
        )
  })
  return [...files.filter((file) => Place.dayIn(file) === undefined), ...days]
}

/** Whether a file in a folder holds candles, judged by its name; funding rates lie beside them, and JSON must name its pair. */
export const isCandleFile = (name: string): boolean =>
  (/\.csv(\.gz)?$/.test(name) && name !== Place.FUNDING) ||
  (/\.json(\.gz)?$/.test(name) && pairAmong(wordsOf(name)) !== undefined)

/** The candles of one file and its market. */
interface Reel extends Recording {
  readonly path: string
  readonly kind: MarketKind
}

const readOne = (path: string, times: FileTimes): Either.Either<Reel, RecordingUnreadable> => {
  const market = marketOf(path)
  if (market === undefined) {
    return refuse(path, "its name has no market: use a name like binance_BTC-USDT.csv.gz")
  }
  const bytes = readFileSync(path)
  const columns = parse(isGzip(bytes) ? unpack(bytes) : bytes, times)
  if (Either.isLeft(columns)) return refuse(path, explainError(columns.left))
  return Either.right({ ...market, path, columns: columns.right })
}

const joined = (files: ReadonlyArray<Reel>): Either.Either<ReadonlyArray<Recording>, RecordingUnreadable> =>
  Either.all(Object.values(Arr.groupBy(files, ({ exchange, pair }) => `${exchange}:${pair}`)).map(joinedPair))

const joinedPair = (files: Arr.NonEmptyArray<Reel>): Either.Either<Recording, RecordingUnreadable> => {
  const spot = files.filter(({ kind }) => kind === "spot")
  const chosen = Arr.isNonEmptyArray(spot) ? spot : files
  const [{ exchange, pair }] = chosen
  const parts = chosen.map(({ columns, path }) => ({
    ...{ name: path, columns },
    isDay: Place.dayIn(path) !== undefined
  }))
  return Either.mapBoth(SeriesFiles.joinedFiles(parts), {
    onLeft: ({ first, second }) => new RecordingUnreadable({ path: second, reason: overlapping(first) }),
    onRight: (columns) => ({ exchange, pair, columns })
  })
}

/** The error of a file that overlaps with another of its market. */
export const overlapping = (other: string): string =>
  `it overlaps in time with ${other}, which is of the same market`

/** The market that a path names; spot if it names no kind. */
export const marketOf = (path: string): MarketId | undefined => {
  // A folder of stored candles, with one below it for each longer timeframe.
  const parts = resolve(path)
    .split(/[/\\]/)
    .slice(Place.timeframeIn(path) === "1m" ? -3 : -4)
  const words = [...wordsOf(basename(path)), ...parts]
  const exchange = words.map(exchangeNameOf).find((name) => name !== undefined)
  const pair = pairAmong(words)
  const kind = words.some((word) => /-(?:swap|futures)(?:\.(?:csv|json).*)?$/.test(word)) ? "swap" : "spot"
  return exchange === undefined || pair === undefined ? undefined : { exchange, pair, kind }
}

/** Freqtrade's names: `BTC_USDT-5m.json`, or `BTC_USDT_USDT-5m-futures.json.gz`. */
const FREQTRADE = /^([A-Z0-9]+)_([A-Z0-9]+)(?:_[A-Z0-9]+)?-\d+[smhdwM](?:-spot|-futures)?\.(?:csv|json)/

/** The words of a file's name. */
const wordsOf = (name: string): ReadonlyArray<string> => {
  const [, base, quote] = FREQTRADE.exec(name) ?? []
  return base === undefined ? name.split("_") : [`${base}-${quote}`]
}

const pairAmong = (words: ReadonlyArray<string>): Pair | undefined =>
  words.map(pairOf).find((pair) => pair !== undefined)

/** `BTC-USDT`, `BTC-USDT-spot` or `BTCUSDT` as a pair; `2024-01` is a month. */
const pairOf = (word: string): Pair | undefined => {
  if (/^\d{4}-\d\d(?:\D|$)/.test(word)) return undefined
  const [, base, quote] = /^([A-Z0-9]+)-([A-Z0-9]+)(?:-(?:spot|swap))?(?:\.(?:csv|json).*)?$/.exec(word) ?? []
  const text = base === undefined ? unhyphened(word.replace(/\.(?:csv|json).*$/, "")) : `${base}/${quote}`
  return text !== undefined && isPair(text) ? text : undefined
}

const unhyphened = (word: string): string | undefined => {
  const quote = [...QUOTE_CURRENCIES, "USDC", "EUR"].find(
    (quote) => word.endsWith(quote) && word.length > quote.length
  )
  return quote === undefined ? undefined : `${word.slice(0, -quote.length)}/${quote}`
}
