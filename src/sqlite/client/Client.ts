// The one connection to the database: durable commits, transactions that start as writers, and bounded waiting for
// other processes.
import { Database } from "bun:sqlite"
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import * as SqliteClient from "@effect/sql-sqlite-bun/SqliteClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { inRealTime } from "../../services/internal/RealTime.ts"
import { ChangeWatch } from "../../sql/client/ChangeWatch.ts"
import { DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import { isBusy, isSqlError, reasonOf } from "../../sql/client/SqlErrors.ts"

/** How long one statement may block the event loop while another process writes (ms). */
const BUSY_MILLIS = 50
/** How long and how often a busy statement is retried: the event loop is free in between. */
const PATIENCE = Schedule.spaced("25 millis").pipe(Schedule.upTo("5 seconds"))

/** The most compiled statements: Bun's default of 20 would drop the journal's. */
const MAX_COMPILED = 512

/** The size that a write-ahead log is truncated to after a burst. */
const MAX_WAL_BYTES = 67_108_864

/**
 * The page cache: SQLite's default of 2 MiB holds less than the ends of a thousand timelines, which each alert may
 * append to.
 */
const CACHE_KIB = 8_192

const PRAGMAS = [
  ["busy_timeout", BUSY_MILLIS],
  ["synchronous", 2],
  ["foreign_keys", 1],
  ["trusted_schema", 0],
  ["temp_store", 2],
  ["cache_size", -CACHE_KIB],
  ["journal_size_limit", MAX_WAL_BYTES]
] as const

/** `:memory:` is a database that ends with its layer, for tests. */
export const MEMORY = ":memory:"

/**
 * Opens the database file, and creates it where it is missing. Statements and transactions take turns; a transaction
 * starts as a writer, so that what it reads stays true until it commits.
 */
export const layer = (filename: string): Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable, ChangeWatch> =>
  Layer.scoped(SqlClient.SqlClient, make(filename)).pipe(Layer.provide(Reactivity.layer))

const make = Effect.fn("Sqlite.make")(function* (filename: string) {
  const connection = yield* connect(filename)
  yield* settle(connection, filename)
  const permit = yield* Effect.makeSemaphore(1)
  // Holds the permit while a statement runs. The driver's own releases it earlier, so that another fiber's statement
  // could slip into a transaction and be rolled back with it.
  const acquirer = Effect.uninterruptibleMask((restore) =>
    restore(permit.take(1)).pipe(
      Effect.zipRight(Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, permit.release(1)))),
      Effect.as(connection)
    )
  )
  const client = yield* SqlClient.make({
    acquirer,
    transactionAcquirer: acquirer,
    compiler: Statement.makeCompilerSqlite(),
    beginTransaction: "BEGIN IMMEDIATE",
    spanAttributes: []
  })
  const { changed } = yield* ChangeWatch
  return Object.assign(client, { withTransaction: undoable(client.withTransaction, changed) })
})

/**
 * Turns the library's defect of a failed commit (a full disk) into an error, and drops caches after a rollback, since
 * they may hold its rows.
 */
const undoable =
  (withTransaction: SqlClient.SqlClient["withTransaction"], changed: Effect.Effect<void>) =>
  <R, E, A>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    withTransaction(self).pipe(
      Effect.catchAllDefect((defect) => (isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))),
      Effect.onError(() => changed)
    )

/**
 * Creates a folder that only we may enter and a file that only we may read; SQLite gives its side files the same mode.
 */
export const prepare = (filename: string): Effect.Effect<void, DatabaseUnavailable> =>
  Effect.try({
    try: () => {
      if (filename === MEMORY) return
      mkdirSync(dirname(filename), { recursive: true, mode: 0o700 })
      // An existing file is never opened here: closing it would release the locks of this process on it.
      if (existsSync(filename)) accessSync(filename, constants.R_OK | constants.W_OK)
      else closeSync(openSync(filename, "a", 0o600))
    },
    catch: (cause) => new DatabaseUnavailable({ filename, reason: reasonOf(cause) })
  })

const connect = Effect.fn("Sqlite.connect")(function* (filename: string) {
  yield* prepare(filename)
  Database.MAX_QUERY_CACHE_SIZE = MAX_COMPILED
  const driver = yield* SqliteClient.make({ filename, disableWAL: true }).pipe(
    Effect.catchAllDefect((cause) => new DatabaseUnavailable({ filename, reason: reasonOf(cause) }))
  )
  return patient(yield* Effect.orDie(driver.reserve))
})

/** Waits for other processes' writes without blocking the event loop for longer than `BUSY_MILLIS`. */
const patient = (connection: Connection): Connection => ({
  ...connection,
  execute: (sql, params, transform) => untilFree(connection.execute(sql, params, transform)),
  executeRaw: (sql, params) => untilFree(connection.executeRaw(sql, params)),
  executeValues: (sql, params) => untilFree(connection.executeValues(sql, params)),
  executeUnprepared: (sql, params, transform) => {
    const run = untilFree(connection.execute(sql, params, transform))
    const undo = Effect.ignore(connection.execute("ROLLBACK", [], undefined))
    // A full disk may have ended the transaction already: then there is nothing to roll back.
    if (sql === "ROLLBACK") return Effect.orElseSucceed(run, () => [])
    return sql === "COMMIT" ? Effect.tapError(run, () => undo) : run
  }
})

const untilFree = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  Effect.catchAll(statement, (error) =>
    isBusy(error)
      ? inRealTime(Effect.retry(statement, { while: isBusy, schedule: PATIENCE }))
      : Effect.fail(error)
  )

const settle = Effect.fn("Sqlite.settle")(function* (connection: Connection, filename: string) {
  const unavailable = (reason: string) => new DatabaseUnavailable({ filename, reason })
  const read = (pragma: string) =>
    connection.executeValues(`PRAGMA ${pragma}`, []).pipe(
      Effect.map((rows) => rows[0]?.[0]),
      Effect.mapError((error) => unavailable(reasonOf(error.cause)))
    )
  for (const [name, value] of PRAGMAS) {
    yield* read(`${name} = ${value}`)
    if ((yield* read(name)) !== value) return yield* unavailable(`SQLite does not take ${name} = ${value}`)
  }
  const mode = yield* read("journal_mode = WAL")
  if (mode !== "wal" && filename !== MEMORY) return yield* unavailable(`SQLite does not take WAL but ${mode}`)
})
