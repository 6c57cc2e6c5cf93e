import { existsSync, readdirSync } from "node:fs"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { database } from "../Config.ts"
import * as CandleColumns from "../domain/CandleColumns.ts"
import { type ExchangeName, isPair, type Market, type MarketId, type Pair } from "../domain/Market.ts"
import type { Settings } from "../domain/Strategy.ts"
import * as Place from "../prices/tape/Place.ts"
import { exchangeFor } from "../trading/Routing.ts"
import type { Series } from "../trading/Tracks.ts"
import { FileError, readCandles } from "./backtestFiles.ts"
import { usage } from "./shared.ts"

export const candles = Options.text("candles").pipe(
  Options.atLeast(1),
  Options.withDescription(
    "PAIR for what a server has recorded beside its database, PAIR=FILE.csv[.gz] or PAIR=FOLDER; once for each pair: timestamp(ms),open,high,low,close,volume"
  )
)
export const from = Options.text("from").pipe(
  Options.optional,
  Options.withDescription("the first day, as 2026-11-01 (UTC); what is before is left out")
)
export const to = Options.text("to").pipe(
  Options.optional,
  Options.withDescription("the last day, as 2026-11-30 (UTC); what is after is left out")
)

/** The candles of a pair: in a file or a folder, or recorded. */
export interface Source {
  readonly pair: Pair
  readonly path: Option.Option<string>
}

export const sources = (texts: ReadonlyArray<string>) =>
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

const DAY_MILLIS = 86_400_000

/** Times from the first day to the last, both included (ms; `until` is the first that is not). */
export interface Range {
  readonly from: number
  readonly until: number
}

export const rangeOf = (options: {
  readonly from: Option.Option<string>
  readonly to: Option.Option<string>
}) =>
  Effect.gen(function* () {
    const from = Option.isSome(options.from) ? yield* dayOf("--from", options.from.value) : 0
    const last = Option.isSome(options.to) ? yield* dayOf("--to", options.to.value) : Number.POSITIVE_INFINITY
    return from > last ? yield* usage("--from is after --to") : { from, until: last + DAY_MILLIS }
  })

const dayOf = (option: string, text: string) => {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // A day that no month has is either refused or taken for one of the next.
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text
    ? usage(`${option} takes a day, like 2026-11-01`)
    : Effect.succeed(at)
}

export const within = ({ from, until }: Range, at: number): boolean => at >= from && at < until

/** Reads all candles that a back-test runs over. Each pair is priced by the exchange that its alerts go to. */
export const read = (
  sources: ReadonlyArray<Source>,
  settings: Settings,
  market: (id: MarketId) => Market | undefined,
  options: { readonly db: Option.Option<string>; readonly range: Range }
): Effect.Effect<ReadonlyArray<Series>, FileError> =>
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
      const all = yield* readCandles(file)
      const columns = CandleColumns.between(all, options.range.from, options.range.until)
      if (columns.length === 0)
        return yield* new FileError({ file, text: "holds no candles of the days from --from to --to" })
      return { exchange, pair, columns }
    })
  )

/** The folder of what was recorded: of the spot market, or of the perpetual where there is only that. */
const recorded = (db: Option.Option<string>, exchange: ExchangeName, pair: Pair) =>
  Effect.gen(function* () {
    const filename = Option.isSome(db) ? db.value : yield* Effect.mapError(database, noHome)
    const candles = Place.candlesIn(Place.dataFolderOf(filename))
    const folders = (["spot", "swap"] as const).map((kind) =>
      Place.folderOf(candles, { exchange, pair, kind })
    )
    const folder = folders.find(isRecording)
    if (folder !== undefined) return folder
    const text = `there are no recorded candles of ${pair} on ${exchange}; ${listed(candles)}`
    return yield* new FileError({ file: candles, text })
  })

const noHome = () => new FileError({ file: "--candles", text: "say with --db where the database is" })

const isRecording = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => Place.monthIn(name) !== undefined)

/** Names that a line has room for. */
const MAX_LISTED = 12

const listed = (candles: string): string => {
  const names = (existsSync(candles) ? readdirSync(candles, { withFileTypes: true }) : [])
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name, parentPath }) =>
      readdirSync(`${parentPath}/${name}`).map((market) => `${name}/${market}`)
    )
    .sort()
  if (names.length === 0) return "nothing is recorded there: signalbox serve --record does it"
  const more = names.length > MAX_LISTED ? `, and ${names.length - MAX_LISTED} more` : ""
  return `there are ${names.slice(0, MAX_LISTED).join(", ")}${more}`
}
