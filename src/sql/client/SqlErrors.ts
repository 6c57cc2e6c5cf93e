// Classifies errors of SQLite, and turns a failed statement of ours into a defect: `StorageUnavailable` where it may
// pass.
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { ParseError } from "effect/ParseResult"
import { StorageUnavailable } from "../../services/records/StorageUnavailable.ts"

/** The code of an error of SQLite or of the file system: `SQLITE_FULL`, `ENOENT`. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : ""

export const isBusyCode = (code: string): boolean => /^SQLITE_(BUSY|LOCKED)/.test(code)

/** Another connection writes: retry. */
export const isBusy = (error: SqlError): boolean => isBusyCode(codeOf(error.cause))

/** The row itself is invalid: others of its batch may be written. */
export const isRowFault = (error: SqlError): boolean =>
  /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(codeOf(error.cause))

/** The disk is full or fails, or another process holds the database: a retry may succeed. */
export const isUnavailable = (error: SqlError): boolean =>
  /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM)/.test(codeOf(error.cause))

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
