// Classifies errors of databases by their codes: SQLite's names, and Postgres' five characters. Turns a failed statement of ours into a defect: `StorageUnavailable` where it may
// pass.
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { ParseError } from "effect/ParseResult"
import { StorageUnavailable } from "../../services/records/StorageUnavailable.ts"

/** The code of an error of a database or of the file system: `SQLITE_FULL`, `53300`, `ENOENT`. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : ""

export const isBusyCode = (code: string): boolean => /^SQLITE_(BUSY|LOCKED)/.test(code)

/** Another connection writes: retry. */
export const isBusy = (error: SqlError): boolean => isBusyCode(codeOf(error.cause))

/** The row itself is invalid: others of its batch may be written. */
export const isRowFault = (error: SqlError): boolean =>
  /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)|^(22|23|54)...$/.test(codeOf(error.cause))

/**
 * Postgres' classes of what passes: connections, sign-ins, deadlocks, resources, operators, the system; a database that
 * was renamed, a server that only reads, a lock that was not free.
 */
const PASSING = /^(08|28|40|53|57|58|XX)...$|^(3D000|25006|55P03)$/

/** The disk is full or fails, or the database is away or held by another: a retry may succeed. */
export const isUnavailable = (error: SqlError): boolean => {
  const code = codeOf(error.cause)
  return /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM)/.test(code) || PASSING.test(code)
}

/** A row of ours that does not decode: written by another program, or damaged. */
export class RowUnreadable extends Data.TaggedError("RowUnreadable")<{
  readonly table: string
  /** The column and the path within it, as far as known: `settings.name`. */
  readonly place: string
  readonly cause: ParseError
}> {
  override get message() {
    return `a row of the table ${this.table} cannot be read${this.place === "" ? "" : ` (${this.place})`}`
  }
}

/** An error in one line, for the operator. */
export const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/g, " ").slice(0, 200)

/**
 * Dies on a failed statement: with `StorageUnavailable` (HTTP 503) where a retry may succeed, else with the error
 * itself.
 */
export const orDie = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  Effect.catchIf(effect, isSqlError, (error) =>
    Effect.die(isUnavailable(error) ? new StorageUnavailable({ reason: reasonOf(error.cause) }) : error)
  )

export const isSqlError = (error: unknown): error is SqlError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "SqlError"
