// Opens a database read-only and at one moment, for verification and for commands beside a server.
import { Database } from "bun:sqlite"
import { closeSync, existsSync, openSync, readSync } from "node:fs"
import * as Effect from "effect/Effect"
import { DatabaseNewer, DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import { codeOf, reasonOf } from "../../sql/client/SqlErrors.ts"
import { APPLICATION, VERSION } from "../Migrations.ts"

/** How long opening waits for a moment of exclusive use by another process (ms). */
const BUSY_MILLIS = 5_000

/** A database as of one moment, unaffected by later writes. */
export interface Snapshot {
  readonly database: Database
  readonly version: number
}

/** Opens an existing database of ours that no newer program has written, for as long as the scope lives. */
export const open = Effect.fn("ReadOnly.open")(function* (filename: string) {
  const unavailable = (reason: string) => new DatabaseUnavailable({ filename, reason })
  if (!existsSync(filename)) return yield* unavailable("there is no such file")
  const database = yield* Effect.acquireRelease(
    Effect.try({ try: () => begin(filename), catch: (cause) => refusal(filename, cause) }),
    (database) => Effect.sync(() => database.close())
  )
  const { isOurs, version } = yield* Effect.try({
    try: () => marksOf(database),
    catch: (cause) => refusal(filename, cause)
  })
  if (!isOurs) return yield* unavailable("it is not a database of Signalbox")
  if (version > VERSION) return yield* new DatabaseNewer({ filename, found: version, known: VERSION })
  return { database, version } satisfies Snapshot
})

const MAGIC = "SQLite format 3\0"
/** The byte offset of the application id in a SQLite file. */
const APPLICATION_AT = 68

/** Whether a file's header names it as ours. Reads it without SQLite, which would create side files. */
export const isOurs = (filename: string): boolean => {
  const header = Buffer.alloc(APPLICATION_AT + 4)
  const file = openSync(filename, "r")
  try {
    readSync(file, header, 0, header.length, 0)
  } finally {
    closeSync(file)
  }
  return (
    header.toString("latin1", 0, MAGIC.length) === MAGIC && header.readInt32BE(APPLICATION_AT) === APPLICATION
  )
}

/** The transaction ends with the connection, so that all reads see one moment. */
const begin = (filename: string): Database => {
  const database = new Database(filename, { readonly: true })
  database.run(`PRAGMA busy_timeout = ${BUSY_MILLIS}`)
  database.run("PRAGMA trusted_schema = 0")
  database.run("BEGIN")
  return database
}

const marksOf = (database: Database) => {
  const isOurs = number(database, "PRAGMA application_id") === APPLICATION
  if (!isOurs) return { isOurs, version: 0 }
  const marked = number(database, "PRAGMA user_version")
  const isListed =
    number(database, "SELECT count(*) FROM sqlite_schema WHERE name = 'effect_sql_migrations'") > 0
  const listed = isListed ? number(database, "SELECT max(migration_id) FROM effect_sql_migrations") : 0
  // Either mark counts: a later program may leave only one of them.
  return { isOurs, version: Math.max(marked, listed) }
}

const refusal = (filename: string, cause: unknown): DatabaseUnavailable => {
  const code = codeOf(cause)
  if (code === "SQLITE_NOTADB") return new DatabaseUnavailable({ filename, reason: "it is not a database" })
  const damaged = /^SQLITE_(CORRUPT|IOERR)/.test(code)
  const reason = `${damaged ? "it is damaged: " : ""}${reasonOf(cause)}`
  return new DatabaseUnavailable({ filename, reason, damaged })
}

/** The single number that a statement returns. */
export const number = (database: Database, sql: string): number =>
  Number(database.query(sql).values()[0]?.[0] ?? 0)
