// Reads recorded candles and alerts for a back-test, inside the worker. It only reads: the server keeps writing the
// same files.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type * as CandleFile from "../domain/candles/CandleFile.ts"
import { between } from "../domain/candles/CandleRange.ts"
import { type Candles, MAX_ALERTS, type Span } from "../domain/requests/BacktestRequest.ts"
import * as Place from "../prices/tape/Place.ts"
import * as SeriesFiles from "../prices/tape/SeriesFiles.ts"
import type { AlertAccess } from "../services/backtest/AlertAccess.ts"
import * as RecordedAlerts from "../sql/readers/RecordedAlerts.ts"
import * as ReadOnly from "../sqlite/client/ReadOnly.ts"
import * as FileAlerts from "../sqlite/readers/RecordedAlerts.ts"
import type { TimedAlert } from "../trading/Backtest.ts"
import * as AlertsFile from "../trading/backtest/AlertsFile.ts"
import type { Series } from "../trading/backtest/Tracks.ts"
import { NONE } from "../trading/candles/Bars.ts"

/**
 * Candles from `from` to `until`, recorded and downloaded ones. Left explains that there are none, or more than `most`.
 */
export const candles = (
  folder: string,
  query: CandleQuery,
  most: number
): Either.Either<CandleFile.Columns, string> => {
  const found = filesOf(folder, query)
  if (found === undefined)
    return Either.left(
      "has no stored prices: signalbox candles download fetches them, and a server records them"
    )
  return Either.flatMap(read(found, query, most), (columns) =>
    columns.length === 0 ? Either.left("has no stored prices of that time") : Either.right(columns)
  )
}

/** The candles of several pairs between `from` and `until` (ms), empty where there are none. Left: more than `most`. */
export const seriesOf = (
  folder: string,
  places: ReadonlyArray<Omit<CandleQuery, keyof Span>>,
  span: Span,
  most: number
): Either.Either<ReadonlyArray<Series>, string> => {
  const series: Array<Series> = []
  let room = most
  for (const place of places) {
    const query = { ...place, ...span }
    const found = filesOf(folder, query)
    const columns = found === undefined ? Either.right(NONE) : read(found, query, room)
    if (Either.isLeft(columns)) return Either.left(`the time ${tooMany(most)}`)
    room -= columns.right.length
    series.push({ exchange: place.exchange, pair: place.pair, columns: columns.right })
  }
  return Either.right(series)
}

/** Which candles are read. */
export type CandleQuery = Pick<
  Extract<Candles, { _tag: "Recorded" }>,
  "exchange" | "from" | "kind" | "pair" | "until"
>

interface Files {
  readonly path: string
  readonly files: ReturnType<typeof SeriesFiles.filesIn>
}

/** The files of the market, or of the first of its kinds that has any. */
const filesOf = (folder: string, { exchange, kind, pair }: CandleQuery): Files | undefined => {
  const kinds = kind === undefined ? (["spot", "swap"] as const) : [kind]
  return kinds
    .map((kind) => Place.folderOf(folder, { exchange, pair, kind }))
    .map((path) => ({ path, files: SeriesFiles.filesIn(path) }))
    .find(({ files }) => files.length > 0)
}

const read = (
  { files, path }: Files,
  { from, until }: CandleQuery,
  most: number
): Either.Either<CandleFile.Columns, string> => {
  let count = 0
  const read = SeriesFiles.readFiles(path, SeriesFiles.within(files, from, until), (columns) => {
    const some = between(columns, from, until)
    count += some.length
    // A minute may be recorded and downloaded.
    return count > 2 * most ? tooMany(most) : some
  })
  return Either.flatMap(read, (columns) =>
    columns.length > most ? Either.left(tooMany(most)) : Either.right(columns)
  )
}

const tooMany = (most: number) => `makes more than ${most} candles in all: choose a shorter time`

/** The recorded alerts that are wanted, oldest first. It stops soon after the most that a back-test takes. */
export const alerts = (
  { database, postgres }: Places,
  wanted: AlertAccess
): Promise<Either.Either<ReadonlyArray<TimedAlert>, string>> =>
  (postgres === undefined ? ofFile(database) : ofPostgres(Redacted.make(postgres))).pipe(
    Effect.flatMap((reader) => timed(reader, wanted)),
    Effect.scoped,
    Effect.catchAllCause(() => Effect.fail("on record cannot be read now: try again")),
    Effect.either,
    Effect.runPromise
  )

/** The file beside which prices are recorded, and the address of the database of the alerts where it is another. */
export interface Places {
  readonly database: string
  readonly postgres?: string | undefined
}

const timed = Effect.fnUntraced(function* (reader: RecordedAlerts.Reader, wanted: AlertAccess) {
  const found: Array<TimedAlert> = []
  for (let after = 0, full = true; full && found.length <= MAX_ALERTS; ) {
    const page = yield* reader.page(wanted, after)
    for (const alert of page) found.push(...AlertsFile.timedOf(alert))
    after = page.at(-1)?.id ?? after
    full = page.length === RecordedAlerts.PAGE
  }
  return found
})

const ofFile = (database: string) => Effect.map(ReadOnly.open(database), FileAlerts.reader)

/** Loaded only where it is used. */
const ofPostgres = (url: Redacted.Redacted) =>
  Effect.flatMap(
    Effect.promise(() => import("../postgres/RecordedAlerts.ts")),
    ({ reader }) => reader({ url, node: `signalbox back-test ${crypto.randomUUID()}` })
  )
