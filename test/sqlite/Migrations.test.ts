import { Database } from "bun:sqlite"
import { expect } from "bun:test"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { upTo, VERSION } from "../../src/sqlite/Migrations.ts"
import first from "../../src/sqlite/migrations/0001_first.ts"
import * as NewDatabase from "../../src/sqlite/migrations/newDatabase.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { it } from "../lib/effect.ts"
import { folder } from "../services/ports.ts"

const open = (filename: string) => Layer.build(Sqlite.layer({ filename }))

it.live("the first process migrates, and the others find it done", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    const children = Array.from({ length: 3 }, () =>
      Bun.spawn([process.execPath, join(import.meta.dir, "migrate.child.ts"), filename])
    )
    yield* Effect.all([open(filename), open(filename)], { concurrency: "unbounded" })
    const codes = yield* Effect.promise(() => Promise.all(children.map((child) => child.exited)))
    expect(codes).toEqual([0, 0, 0])
    const sql = yield* Effect.provide(SqlClient.SqlClient, yield* open(filename))
    const done = yield* sql`SELECT migration_id FROM effect_sql_migrations ORDER BY created_at, migration_id`
      .values
    const ids = done.map(([id]) => Number(id))
    expect(ids).toEqual([...new Set(ids)])
    expect([ids[0], ids.at(-1)]).toEqual([1, VERSION])
  })
)

/** All that is in a database, but for the moments of its migrations, and counters that have not begun. */
const contentsOf = (filename: string) => {
  const database = new Database(filename, { readonly: true })
  const all = (statement: string) => database.query<Record<string, unknown>, []>(statement).all()
  const schema = all("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
  const tables = schema.filter(({ type }) => type === "table").map(({ name }) => String(name))
  const rows = tables.map((name) => {
    const found = all(`SELECT * FROM "${name}"`).filter(({ seq }) => name !== "sqlite_sequence" || seq !== 0)
    return [name, found.map((row) => ({ ...row, created_at: 0 }))]
  })
  const pragmas = ["user_version", "application_id", "journal_mode"].map((name) => all(`PRAGMA ${name}`))
  database.close()
  return { schema, rows: Object.fromEntries(rows), pragmas }
}

it.live("a new database is what all migrations together make", () =>
  Effect.gen(function* () {
    const place = yield* folder
    const [made, migrated] = [join(place, "new.db"), join(place, "migrated.db")]
    yield* Effect.scoped(open(made))
    yield* Effect.scoped(Layer.build(Sqlite.layer({ filename: migrated, migrations: upTo(VERSION) })))
    // Otherwise: bun scripts/schema.ts && bun run format
    expect(contentsOf(made)).toEqual(contentsOf(migrated))
    expect(NewDatabase.VERSION).toBe(VERSION)
  })
)

it.live("a database of a newer program is refused and unchanged", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    yield* Effect.scoped(open(filename))
    const other = new Database(filename)
    other.run(`PRAGMA user_version = ${VERSION + 1}`)
    const error = yield* Effect.flip(Effect.scoped(open(filename)))
    expect(error).toMatchObject({ _tag: "DatabaseNewer", found: VERSION + 1, known: VERSION })
    expect(other.query("PRAGMA user_version").get()).toEqual({ user_version: VERSION + 1 })
  })
)

it.live("when the history of followers begins, each follower acts on unjudged alerts since it exists", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    yield* Effect.scoped(Layer.build(Sqlite.layer({ filename, migrations: upTo(8) })))
    const old = new Database(filename)
    old.run("INSERT INTO accounts (name, created_at) VALUES ('ann', 1)")
    old.run("INSERT INTO tokens (account, scope, hash, created_at) VALUES (1, 'full', zeroblob(32), 1)")
    const alert = old.query(`INSERT INTO alerts (account, token, signal_id, coin, quote, type, received_at)
      VALUES (1, 1, 7, 'BTC', 'USDT', 'buy', ?)`)
    for (const receivedAt of [1_000, 2_000, 3_500, 4_500]) alert.run(receivedAt)
    old.run("INSERT INTO engine (id, cursor) VALUES (1, 2)")
    const strategy = old.query(
      "INSERT INTO strategies (account, signal_id, settings, created_at, updated_at) VALUES (1, ?, '{}', ?, 9)"
    )
    for (const [signal, createdAt] of [
      [7, 1],
      [7, 3],
      [7, 4],
      [7, 5],
      [null, 1]
    ] as const)
      strategy.run(signal, createdAt)
    old.run("UPDATE strategies SET updated_at = 9000000000000 WHERE id = 1")
    old.close()
    yield* Effect.scoped(open(filename))
    const now = new Database(filename, { readonly: true })
    const times = now.query("SELECT updated_at <= unixepoch(), updated_at = 9, revision FROM strategies")
    expect(times.values().slice(0, 2)).toEqual([
      [1, 0, 0],
      [1, 1, 0]
    ])
    const found = now.query("SELECT strategy_id, signal_id, account, from_alert, until_alert FROM followings")
    expect(found.values()).toEqual([
      [1, 7, 1, 2, null],
      [2, 7, 1, 2, null],
      [3, 7, 1, 3, null],
      [4, 7, 1, 4, null]
    ])
    now.close()
  })
)

const FIRST = { "0001_first": first }
const NEXT = {
  ...FIRST,
  "0002_more": Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE more (id INTEGER) STRICT`)
}

/** A database of the first version with an account in it. */
const ofOld = Effect.gen(function* () {
  const filename = join(yield* folder, "signalbox.db")
  const insert = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO accounts (name, created_at) VALUES ('ann', 1)`
  )
  yield* Effect.provide(insert, Sqlite.layer({ filename, migrations: FIRST }))
  return filename
})

const copiesOf = (filename: string) =>
  readdirSync(join(filename, "..")).filter((name) => name.includes(".before-") || name.includes(".part"))

it.live("a database is copied once before its migration", () =>
  Effect.gen(function* () {
    const filename = yield* ofOld
    const open = Layer.build(Sqlite.layer({ filename, migrations: NEXT }))
    // Two at a time: only the one that migrates keeps a copy.
    yield* Effect.scoped(Effect.all([open, open], { concurrency: "unbounded" }))
    yield* Effect.scoped(open)
    const [name = "", ...others] = copiesOf(filename)
    expect([name, others]).toEqual([expect.stringMatching(/^signalbox\.db\.before-2-\d{8}T\d{6}Z$/), []])
    const copy = join(filename, "..", name)
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    const kept = new Database(copy, { readonly: true })
    expect(kept.query("PRAGMA user_version").values()).toEqual([[1]])
    expect(kept.query("SELECT name FROM accounts").values()).toEqual([["ann"]])
    expect(kept.query("SELECT count(*) FROM sqlite_schema WHERE name = 'more'").values()).toEqual([[0]])
    kept.close()
    const now = new Database(filename, { readonly: true })
    expect(now.query("PRAGMA user_version").values()).toEqual([[2]])
    now.close()
  })
)

it.live("a database that cannot be copied is not migrated", () =>
  Effect.gen(function* () {
    const filename = yield* ofOld
    const whole = new Database(filename)
    const [root] = whole.query("SELECT rootpage FROM sqlite_schema WHERE name = 'accounts'").values()
    whole.close(true)
    const bytes = readFileSync(filename)
    const page = 4096 * (Number(root?.[0]) - 1)
    writeFileSync(filename, bytes.fill(0x5a, page, page + 4096))
    const error = yield* Effect.flip(Effect.scoped(Layer.build(Sqlite.layer({ filename, migrations: NEXT }))))
    expect(error.message).toContain("it is of version 1, and cannot be copied to")
    expect(error.message.length).toBeLessThan(600)
    expect(copiesOf(filename)).toEqual([])
    const now = new Database(filename, { readonly: true })
    expect(now.query("PRAGMA user_version").values()).toEqual([[1]])
    now.close()
  })
)
