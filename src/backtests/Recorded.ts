// Reads recorded candles and alerts for a back-test, inside the worker. It only reads: the server keeps writing the
// same files.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type * as CandleFile from "../domain/candles/CandleFile.ts"
import { between } from "../domain/candles/CandleRange.ts"
import { type Candles, MAX_ALERTS } from "../domain/requests/BacktestRequest.ts"
import * as Place from "../prices/tape/Place.ts"
import * as SeriesFiles from "../prices/tape/SeriesFiles.ts"
import type { AlertAccess } from "../services/backtest/AlertAccess.ts"
import * as RecordedAlerts from "../sql/readers/RecordedAlerts.ts"
import * as ReadOnly from "../sqlite/client/ReadOnly.ts"
import * as FileAlerts from "../sqlite/readers/RecordedAlerts.ts"
import type { TimedAlert } from "../trading/Backtest.ts"
import * as AlertsFile from "../trading/backtest/AlertsFile.ts"

/**
 * Candles from `from` to `until`, recorded and downloaded ones. Left explains that there are none, or more than `most`.
 */
export const candles = (
  folder: string,
  query: Extract<Candles, { _tag: "Recorded" }>,
  most: number
): Either.Either<CandleFile.Columns, string> => {
  const { exchange, from, kind, pair, until } = query
  const kinds = kind === undefined ? (["spot", "swap"] as const) : [kind]
  const found = kinds
    .map((kind) => Place.folderOf(folder, { exchange, pair, kind }))
    .map((path) => ({ path, files: SeriesFiles.filesIn(path) }))
    .find(({ files }) => files.length > 0)
  if (found === undefined)
    return Either.left(
      "has no stored prices: signalbox candles download fetches them, and a server records them"
    )
  const wanted = SeriesFiles.within(found.files, from, until)
  let count = 0
  const read = SeriesFiles.readFiles(found.path, wanted, (columns) => {
    const some = between(columns, from, until)
    count += some.length
    // A minute may be recorded and downloaded.
    return count > 2 * most ? tooMany(most) : some
  })
  return Either.flatMap(read, (columns) => {
    if (columns.length === 0) return Either.left("has no stored prices of that time")
    return columns.length > most ? Either.left(tooMany(most)) : Either.right(columns)
  })
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
