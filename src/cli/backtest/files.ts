// Reads the files of a back-test: candles, alerts, strategy and market. Every error names the file and, where it can,
// the line.
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as CandleFile from "../../domain/candles/CandleFile.ts"
import type * as CandleTime from "../../domain/candles/CandleTime.ts"
import * as Catalogue from "../../domain/catalogue/Catalogue.ts"
import * as SchemaViolations from "../../domain/internal/SchemaViolations.ts"
import type { Pair } from "../../domain/Market.ts"
import { MarketFile } from "../../domain/market/MarketFile.ts"
import { type Fields, isFields } from "../../domain/requests/Form.ts"
import { asRequest, SIGNAL } from "../../domain/requests/StrategyFile.ts"
import { parseBody } from "../../domain/requests/StrategyRequest.ts"
import { unknownFields } from "../../domain/requests/UnknownFields.ts"
import type { Settings } from "../../domain/Strategy.ts"
import { isCandleFile, overlapping } from "../../prices/CandleFiles.ts"
import { isGzip, unpack } from "../../prices/tape/Member.ts"
import * as Place from "../../prices/tape/Place.ts"
import * as SeriesFiles from "../../prices/tape/SeriesFiles.ts"
import type { TimedAlert } from "../../trading/Backtest.ts"
import * as AlertsFile from "../../trading/backtest/AlertsFile.ts"
import type { Range } from "./range.ts"

/** A file that cannot be read or has the wrong content: exit code 1. */
export class FileError extends Data.TaggedError("FileError")<{
  readonly file: string
  readonly text: string
}> {
  override get message() {
    return `${this.file}: ${this.text}`
  }
}

/**
 * Candles of a file, or of all candle files in a folder joined into one recording. Of stored candles only the files of
 * the range are read.
 */
export const readCandles = (
  path: string,
  times: CandleTime.FileTimes,
  range: Range
): Effect.Effect<CandleFile.Columns, FileError> =>
  Effect.gen(function* () {
    const files = yield* filesOf(path, range)
    const parts = yield* Effect.forEach(files, (name) =>
      Effect.map(readColumns(name, times), (columns) => ({
        name,
        columns,
        isDay: Place.dayIn(name) !== undefined
      }))
    )
    const joined = SeriesFiles.joinedFiles(parts)
    if (Either.isLeft(joined)) return yield* fail(joined.left.second, overlapping(joined.left.first))
    return joined.right.length === 0
      ? yield* fail(path, Number.isFinite(range.until) || range.from > 0 ? NONE_THERE : "holds no candles")
      : joined.right
  })

/** The error of candles that are all outside of the range. */
export const NONE_THERE = "holds no candles from --from to --to"

const readColumns = (
  file: string,
  times: CandleTime.FileTimes
): Effect.Effect<CandleFile.Columns, FileError> =>
  Effect.flatMap(readBytes(file), (bytes) =>
    Effect.mapError(
      CandleFile.parse(bytes, times),
      (violation) => new FileError({ file, text: CandleFile.explainError(violation) })
    )
  )

/** The file itself, or the candle files of the folder sorted by name. */
const filesOf = (path: string, { from, until }: Range): Effect.Effect<ReadonlyArray<string>, FileError> =>
  Effect.tryPromise({
    try: async () => {
      const isFolder = (await stat(path)).isDirectory()
      const names = isFolder ? (await readdir(path)).filter(isCandleFile) : []
      if (!isFolder) return [path]
      const isStored = names.every((name) => (Place.monthIn(name) ?? Place.dayIn(name)) !== undefined)
      const stored = SeriesFiles.within(SeriesFiles.filesAmong(names), from, until)
      return (isStored ? stored.map(({ name }) => name) : names.sort()).map((name) => join(path, name))
    },
    catch: (cause) => new FileError({ file: path, text: reasonOf(cause) })
  })

/** The alerts of a file, and the lines that were skipped, each with the reason. */
export interface AlertsRead {
  readonly alerts: ReadonlyArray<TimedAlert>
  readonly skipped: ReadonlyArray<string>
}

/** A file of alerts, or a list of trades of the given pair. Prints how many lines it skipped. */
export const readAlerts = (
  file: string,
  pair: Pair,
  times: CandleTime.FileTimes
): Effect.Effect<AlertsRead, FileError> =>
  Effect.gen(function* () {
    const read = AlertsFile.read(yield* readBytes(file), pair, times)
    if (Either.isLeft(read)) return yield* fail(file, `line ${read.left.line}: ${read.left.text}`)
    const { alerts, skipped } = read.right
    const [first] = skipped
    if (first !== undefined)
      yield* Console.error(
        `${file}: ${skipped.length} ${skipped.length === 1 ? "line is" : "lines are"} left out; line ${first.line}: ${first.text}`
      )
    return { alerts, skipped: skipped.map(({ line, text }) => `line ${line}: ${text}`) }
  })

/** The settings of a strategy's file, and the file's own fields. */
export interface StrategyRead {
  readonly settings: Settings
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * A strategy in the fields of a request that creates one, or of an answer of the API. Other fields are ignored as over HTTP, and named on standard
 * error: a back-test without the stop loss that somebody misspelt looks like one with it.
 */
export const readStrategy = (file: string): Effect.Effect<StrategyRead, FileError> =>
  Effect.gen(function* () {
    const body = yield* readRequest(file)
    const read = parseBody(body)
    if (Either.isLeft(read))
      return yield* fail(file, read.left.map(({ field, text }) => `${field} ${text}`).join("; "))
    yield* warnOfUnknown(file, body)
    return { settings: read.right.settings, body }
  })

/** A strategy's file in the fields of a request: it may hold what the API answers. The name of a signal is left out. */
export const readRequest = (file: string): Effect.Effect<Fields, FileError> =>
  Effect.gen(function* () {
    const body = yield* readJson(file)
    if (!isFields(body)) return yield* fail(file, "is not a JSON object")
    const { [SIGNAL]: _, ...request } = asRequest(body, Catalogue.exchange)
    return request
  })

/** Names the fields that no strategy has. */
export const warnOfUnknown = (file: string, body: object): Effect.Effect<void> =>
  Effect.forEach(
    unknownFields(body),
    ({ field, text }) => Console.error(`${file}: ${field} is ignored: ${text}`),
    { discard: true }
  )

export const readMarket = (file: string): Effect.Effect<MarketFile, FileError> =>
  Effect.flatMap(readJson(file), (body) =>
    Either.match(SchemaViolations.decode(MarketFile, body), {
      onLeft: (errors) =>
        fail(file, errors.map(({ path, text }) => `${path.slice(1)} ${text}`.trim()).join("; ")),
      onRight: Effect.succeed
    })
  )

const decodeJson = Schema.decodeUnknownEither(Schema.parseJson(Schema.Unknown))

export const readJson = (file: string): Effect.Effect<unknown, FileError> =>
  Effect.map(readJsonText(file), ({ value }) => value)

/** A JSON value with the text that it was read from. */
export const readJsonText = (
  file: string
): Effect.Effect<{ readonly value: unknown; readonly text: string }, FileError> =>
  Effect.flatMap(readText(file), (text) =>
    Either.match(decodeJson(text), {
      onLeft: () => fail(file, "is not JSON"),
      onRight: (value) => Effect.succeed({ value, text })
    })
  )

export const readText = (file: string): Effect.Effect<string, FileError> =>
  Effect.map(readBytes(file), (bytes) => new TextDecoder().decode(bytes))

const readBytes = (file: string): Effect.Effect<Uint8Array, FileError> =>
  Effect.tryPromise({
    try: async () => {
      const bytes = await Bun.file(file).bytes()
      return isGzip(bytes) ? unpack(bytes) : bytes
    },
    catch: (cause) => new FileError({ file, text: reasonOf(cause) })
  })

const reasonOf = (cause: unknown): string => (isMissing(cause) ? "there is no such file" : "cannot be read")
const isMissing = Schema.is(Schema.Struct({ code: Schema.Literal("ENOENT") }))

const fail = (file: string, text: string) => Effect.fail(new FileError({ file, text }))
