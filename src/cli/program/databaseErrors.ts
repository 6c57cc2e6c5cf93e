// Turns a database that cannot be read or written into an error of one line with advice. Every other defect stays a
// fault of ours, and is logged in full.
import { SQLiteError } from "bun:sqlite"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isParseError } from "effect/ParseResult"
import { type Database, shown } from "../../domain/requests/Database.ts"
import { StorageUnavailable } from "../../services/records/StorageUnavailable.ts"
import { isSqlError, RowUnreadable, reasonOf } from "../../sql/client/SqlErrors.ts"

/** The database is damaged or unusable: exit code 1. */
class Damaged extends Data.TaggedError("Damaged")<{ readonly message: string }> {}

/** Fails with one line if a defect came from the database. */
export const inOneLine = (database: Database | string) =>
  Effect.catchSomeDefect((defect) =>
    Option.map(wordsOf(database, defect), (message) => Effect.fail(new Damaged({ message })))
  )

const ADVICE = {
  File: "signalbox verify checks all of it, signalbox restore replaces it with a backup",
  Postgres: "signalbox verify checks all of it, and the tools of Postgres restore a backup"
} as const

const wordsOf = (database: Database | string, defect: unknown): Option.Option<string> => {
  const filename = typeof database === "string" ? database : shown(database)
  const advice = ADVICE[typeof database === "string" ? "File" : database._tag]
  if (defect instanceof RowUnreadable) {
    const { place, table } = defect
    const where = place === "" ? `table ${table}` : `table ${table}, ${place}`
    return Option.some(`the database ${filename} holds a row that cannot be read (${where}): ${advice}`)
  }
  if (isParseError(defect))
    return Option.some(`the database ${filename} holds a row that cannot be read: ${advice}`)
  if (defect instanceof StorageUnavailable)
    return Option.some(`the database ${filename} cannot be used now: ${defect.reason}`)
  if (isSqlError(defect) || defect instanceof SQLiteError) {
    const reason = reasonOf(isSqlError(defect) ? defect.cause : defect)
    return Option.some(`the database ${filename} cannot be used: ${reason}; ${advice}`)
  }
  return Option.none()
}
