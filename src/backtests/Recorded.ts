// Reads recorded candles and alerts for a back-test, inside the worker. It only reads: the server keeps writing the
// same files.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as CandleFile from "../domain/candles/CandleFile.ts"
import * as CandleJoin from "../domain/candles/CandleJoin.ts"
import { between } from "../domain/candles/CandleRange.ts"
import { MADE_UP } from "../domain/candles/CandleTime.ts"
import { type Candles, MAX_ALERTS } from "../domain/requests/BacktestRequest.ts"
import * as Member from "../prices/tape/Member.ts"
import * as Place from "../prices/tape/Place.ts"
import type { AlertAccess } from "../services/backtest/AlertAccess.ts"
import * as RecordedAlerts from "../sql/readers/RecordedAlerts.ts"
import * as ReadOnly from "../sqlite/client/ReadOnly.ts"
import * as FileAlerts from "../sqlite/readers/RecordedAlerts.ts"
import type { TimedAlert } from "../trading/Backtest.ts"
import * as AlertsFile from "../trading/backtest/AlertsFile.ts"

/**
 * Candles from `from` to `until`, out of all months of the span. Left explains that there are none, or more than
 * `most`.
 */
export const candles = (
  folder: string,
  query: Extract<Candles, { _tag: "Recorded" }>,
  most: number
): Either.Either<CandleFile.Columns, string> => {
  const { exchange, from, kind, pair, until } = query
  const kinds = kind === undefined ? (["spot", "swap"] as const) : [kind]
  const folders = kinds.map((kind) => Place.folderOf(folder, { exchange, pair, kind }))
  const found = folders
    .map((path) => ({ path, months: monthsIn(path) }))
    .find(({ months }) => months.length > 0)
  if (found === undefined) return Either.left("has no recorded prices: signalbox serve --record makes them")
  const parts: Array<CandleJoin.Part> = []
  let count = 0
  for (const month of found.months.filter((month) => isWithin(month, from, until))) {
    const name = `${month}.csv.gz`
    const columns = readMonth(join(found.path, name))
    if (Either.isLeft(columns)) return Either.left(`${name}: ${columns.left}`)
    const wanted = between(columns.right, from, until)
    count += wanted.length
    if (count > most) return Either.left(`makes more than ${most} candles in all: choose a shorter time`)
    parts.push({ name, columns: wanted })
  }
  if (count === 0) return Either.left("has no recorded prices of that time")
  return Either.mapLeft(
    CandleJoin.join(parts),
    ({ first, second }) => `${second} overlaps in time with ${first}`
  )
}

const monthsIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
      .flatMap((name) => Place.monthIn(name) ?? [])
      .sort()
  } catch {
    return []
  }
}

const isWithin = (month: string, from: number, until: number): boolean => {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))]
  return Date.UTC(year, number - 1) < until && Date.UTC(year, number) > from
}

const readMonth = (path: string): Either.Either<CandleFile.Columns, string> => {
  const bytes = Either.try({ try: () => Member.unpack(readFileSync(path)), catch: () => "cannot be read" })
  // The server wrote this file itself, so its times are in ms.
  return Either.flatMap(bytes, (text) =>
    Either.mapLeft(CandleFile.parse(text, MADE_UP), CandleFile.explainError)
  )
}

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
