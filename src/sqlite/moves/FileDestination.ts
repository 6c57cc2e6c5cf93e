// A file as the target of a move: it is written and verified under another name, and appears complete.
import { Database } from "bun:sqlite"
import { existsSync, rmSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { lazily } from "../../domain/internal/Lazily.ts"
import type { Destination } from "../../sql/moves/Move.ts"
import * as MoveRows from "../../sql/moves/MoveRows.ts"
import { type Kind, MADE_WITH_ROWS, type Table } from "../../sql/moves/MoveTable.ts"
import type { Row } from "../../sql/moves/RowHash.ts"
import { place, sync } from "../backups/Durable.ts"
import * as Lock from "../client/Lock.ts"
import * as ReadOnly from "../client/ReadOnly.ts"
import { VERSION } from "../Migrations.ts"
import * as FileEnd from "./FileEnd.ts"
import { migrated } from "./FileOrigin.ts"

/** SQLite's cache while it writes (KiB). */
const CACHE_KIB = 32_768

/** Nobody else uses the file, and one that is not complete is thrown away: nothing has to be undone. */
const PRAGMAS = [
  "journal_mode = OFF",
  "synchronous = OFF",
  "foreign_keys = OFF",
  `cache_size = -${CACHE_KIB}`
]

/** Opens a file as the target of a move, under its lock. It must not hold anything yet. */
export const open = Effect.fn("FileDestination.open")(function* (path: string, claim: MoveRows.Claim) {
  const filename = resolve(path)
  yield* locked(filename)
  const target = yield* targetOf(filename)
  const refusal = MoveRows.claimRefusal(claim, target)
  if (refusal !== undefined) return yield* new MoveRows.MoveRefused({ message: `${filename}: ${refusal}` })
  const part = join(dirname(filename), `.${basename(filename)}.moving`)
  yield* Effect.acquireRelease(
    Effect.sync(() => remove(part)),
    () => Effect.sync(() => remove(part))
  )
  yield* Effect.provide(
    Effect.gen(function* () {
      yield* MoveRows.record(MoveRows.unfinished(claim))
      const sql = yield* SqlClient.SqlClient
      yield* Effect.orDie(sql`PRAGMA journal_mode = DELETE`)
    }),
    migrated(part, { keep: false })
  )
  const database = yield* Effect.acquireRelease(
    FileEnd.attempt(filename, () => begin(part)),
    (it) => Effect.sync(() => it.close())
  )
  const indexes = yield* FileEnd.attempt(filename, () => withoutIndexes(database))
  return {
    ...FileEnd.make(database, filename),
    write: (table, rows) => FileEnd.attempt(filename, () => write(database, table, rows)),
    setLastIds: (ids) => FileEnd.attempt(filename, () => setLastIds(database, ids)),
    settle: FileEnd.attempt(filename, () => {
      for (const definition of indexes) database.run(definition)
      database.run("COMMIT")
    }),
    arrive: FileEnd.attempt(filename, () => {
      database.close(true)
      for (const end of ["-wal", "-shm"]) rmSync(filename + end, { force: true })
      place(part, filename)
    }),
    finish: FileEnd.attempt(filename, () => finish(filename))
  } satisfies Destination
})

/** The lock of a file, which needs the file: an empty one is removed again where the move fails. */
const locked = Effect.fnUntraced(function* (filename: string) {
  const isNew = !existsSync(filename)
  const hadLock = existsSync(Lock.lockOf(filename))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      if (isNew && isEmpty(filename)) rmSync(filename)
    })
  )
  yield* Layer.build(Lock.layer(filename))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      if (isNew && !hadLock && isEmpty(filename)) rmSync(Lock.lockOf(filename), { force: true })
    })
  )
})

const isEmpty = (filename: string): boolean => existsSync(filename) && statSync(filename).size === 0

const moves = lazily(() => Schema.decodeUnknownSync(Schema.Array(MoveRows.MoveRow)))

/** What a file holds already; a database of ours that is older than moves holds rows. */
const targetOf = Effect.fnUntraced(function* (filename: string) {
  if (isEmpty(filename)) return { standing: { _tag: "Usable" }, holdsRows: false } as const
  const { database, version } = yield* ReadOnly.open(filename)
  if (version < VERSION) return { standing: { _tag: "Usable" }, holdsRows: true } as const
  return yield* FileEnd.attempt(filename, () => ({
    standing: MoveRows.standingOf(moves(database.query(MoveRows.MOVES).all())),
    holdsRows: true
  }))
}, Effect.scoped)

const remove = (part: string): void => {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(part + end, { force: true })
}

const begin = (part: string): Database => {
  const database = new Database(part)
  for (const pragma of PRAGMAS) database.run(`PRAGMA ${pragma}`)
  database.run("BEGIN")
  for (const table of MADE_WITH_ROWS) database.run(`DELETE FROM ${table}`)
  return database
}

const definitions = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ name: Schema.String, sql: Schema.String }))
)

/** Drops all indexes but those of keys, which is quicker than to change them with each row; returns what makes them. */
const withoutIndexes = (database: Database): ReadonlyArray<string> => {
  const found = definitions(
    database
      .query("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid")
      .all()
  )
  for (const { name } of found) database.run(`DROP INDEX "${name}"`)
  return found.map(({ sql }) => sql)
}

/** A value from its text, exactly. */
const WRITE: Readonly<Record<Kind, string>> = {
  integer: "CAST(? AS INTEGER)",
  real: "?",
  text: "?",
  bytes: "unhex(?)"
}

const write = (database: Database, { columns, name }: Table, rows: ReadonlyArray<Row>): void => {
  const names = columns.map((it) => `"${it.name}"`).join(", ")
  const values = columns.map(({ kind }) => WRITE[kind]).join(", ")
  const insert = database.query(`INSERT INTO "${name}" (${names}) VALUES (${values})`)
  const isReal = columns.map(({ kind }) => kind === "real")
  for (const row of rows)
    insert.run(
      ...row.map((value, index) => (value !== null && isReal[index] === true ? Number(value) : value))
    )
}

/** Only tables that count on beyond deleted rows have a sequence. */
const setLastIds = (database: Database, ids: ReadonlyMap<string, number>): void => {
  const counted = new Set(
    database
      .query("SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'")
      .values()
      .map(([name]) => String(name))
  )
  for (const [table, id] of ids) {
    if (!counted.has(table) || id === 0) continue
    const { changes } = database.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", [
      id,
      table
    ])
    if (changes === 0) database.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, id])
  }
}

const finish = (filename: string): void => {
  const database = new Database(filename)
  try {
    database.run("PRAGMA synchronous = FULL")
    database.run("UPDATE moves SET finished = 1 WHERE role = 'target'")
  } finally {
    database.close()
  }
  sync(dirname(filename))
}
