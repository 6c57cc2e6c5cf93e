// The option --candles: finds and reads the candles of each pair, from a file, a folder, or the server's own
// recordings.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import * as Options from "@effect/cli/Options"
import type * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SETTINGS } from "../../Config.ts"
import type { Columns } from "../../domain/candles/CandleFile.ts"
import { between } from "../../domain/candles/CandleRange.ts"
import * as CandleTime from "../../domain/candles/CandleTime.ts"
import { TIMEFRAMES } from "../../domain/candles/Timeframe.ts"
import { type ExchangeName, isPair, type Market, type MarketId, type Pair } from "../../domain/Market.ts"
import type { Settings } from "../../domain/Strategy.ts"
import * as Place from "../../prices/tape/Place.ts"
import * as SeriesFiles from "../../prices/tape/SeriesFiles.ts"
import type { Series } from "../../trading/backtest/Tracks.ts"
import { exchangeFor } from "../../trading/Routing.ts"
import { usage } from "../program/usage.ts"
import { FileError, NONE_THERE, readCandles } from "./files.ts"
import type { Range } from "./range.ts"

export const candles = Options.text("candles").pipe(
  Options.atLeast(1),
  Options.withDescription(
    "PAIR=FILE or PAIR=FOLDER, or PAIR alone for stored candles (recorded, or fetched by signalbox candles download); once for each pair. Files are CSV (timestamp,open,high,low,close,volume) or freqtrade's JSON, gzipped or not; times in seconds, ms, microseconds or nanoseconds, or as dates"
  )
)
export const anyTime = Options.boolean("any-time").pipe(
  Options.withDescription(
    "accept made-up times in candles and alerts: read them as milliseconds, of any year (otherwise 2009 to a year from now)"
  )
)
/** The range of times that a file may hold. */
export const timesOf = ({ anyTime }: { readonly anyTime: boolean }) =>
  Effect.map(Clock.currentTimeMillis, (now) => (anyTime ? CandleTime.MADE_UP : CandleTime.real(now)))
/** The source of a pair's candles: a path, or the recordings. */
export interface Source {
  readonly pair: Pair
  readonly path: Option.Option<string>
}

export const sources = (texts: Arr.NonEmptyReadonlyArray<string>) =>
  Effect.gen(function* () {
    const found = yield* Effect.forEach(texts, sourceOf)
    return new Set(found.map(({ pair }) => pair)).size < found.length
      ? yield* usage("--candles names a pair twice")
      : found
  })

const sourceOf = (text: string) => {
  const [name = "", ...rest] = text.split("=")
  const pair = name.toUpperCase()
  const path = rest.join("=")
  return isPair(pair) && (rest.length === 0 || path !== "")
    ? Effect.succeed<Source>({ pair, path: rest.length === 0 ? Option.none() : Option.some(path) })
    : usage("--candles takes PAIR, PAIR=FILE or PAIR=FOLDER, like BTC/USDT=candles.csv")
}

/** The candles of a pair that are tested, and all that there are: a rule looks at earlier ones too. */
export interface ReadSeries extends Series {
  readonly whole: Columns
}

/** Reads all candles of a back-test. A pair takes the exchange that its alerts go to. */
export const read = (
  sources: ReadonlyArray<Source>,
  settings: Settings,
  market: (id: MarketId) => Market | undefined,
  options: {
    readonly db: Option.Option<string>
    readonly range: Range
    readonly anyTime: boolean
    readonly looksBack: boolean
  }
): Effect.Effect<ReadonlyArray<ReadSeries>, FileError> =>
  Effect.forEach(sources, ({ pair, path }) =>
    Effect.gen(function* () {
      const exchange = exchangeFor(settings, pair) ?? settings.defaultExchange
      if (market({ exchange, pair, kind: "spot" }) === undefined) {
        const file = Option.getOrElse(path, () => "--candles")
        return yield* new FileError({ file, text: `there is no market ${pair} on ${exchange}` })
      }
      const file = yield* Option.match(path, {
        onNone: () => recorded(options.db, exchange, pair),
        onSome: Effect.succeed
      })
      const { range } = options
      // A rule is warmed up by candles from before the range.
      const wanted = options.looksBack ? { ...range, from: 0 } : range
      const whole = yield* readCandles(file, yield* timesOf(options), wanted)
      const columns = between(whole, range.from, range.until)
      if (columns.length === 0) return yield* new FileError({ file, text: NONE_THERE })
      return { exchange, pair, columns, whole }
    })
  )

/** The folder of stored candles: of the spot market, or of the perpetual if there is only that. */
const recorded = (db: Option.Option<string>, exchange: ExchangeName, pair: Pair) =>
  Effect.gen(function* () {
    const filename = Option.isSome(db) ? db.value : yield* Effect.mapError(SETTINGS.db.value, noHome)
    const candles = Place.candlesIn(Place.dataFolderOf(filename))
    // One-minute candles come first, those of the spot market before the perpetual's.
    const folders = TIMEFRAMES.flatMap((timeframe) =>
      (["spot", "swap"] as const).map((kind) =>
        Place.seriesFolderOf(candles, { exchange, pair, kind, timeframe })
      )
    )
    const folder = folders.find(isRecording)
    if (folder !== undefined) return folder
    const text = `there are no stored candles of ${pair} on ${exchange}: signalbox candles download ${exchange} ${pair} --from DAY fetches them; ${listed(candles)}`
    return yield* new FileError({ file: candles, text })
  })

const noHome = () => new FileError({ file: "--candles", text: "give the database with --db" })

const isRecording = (folder: string): boolean => SeriesFiles.filesIn(folder).length > 0

/** Names in a folder; none if it cannot be read. */
const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** The most names that the error lists. */
const MAX_LISTED = 12

const listed = (candles: string): string => {
  const names = namesIn(candles).flatMap((exchange) =>
    namesIn(join(candles, exchange)).map((market) => `${exchange}/${market}`)
  )
  if (names.length === 0) return "nothing is stored there yet"
  const more = names.length > MAX_LISTED ? `, and ${names.length - MAX_LISTED} more` : ""
  return `there are ${names.slice(0, MAX_LISTED).join(", ")}${more}`
}
