// The adversary: several processes at their first start, a newer program, a program of others in the same database.
import { describe, expect, test } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import * as Client from "../../src/postgres/client/Client.ts"
import * as Migrations from "../../src/postgres/Migrations.ts"
import { commits } from "../../src/postgres/migrations/first/commits.ts"
import { append, HAS_NODES, JOINED, journal } from "../../src/postgres/migrations/first/journal.ts"
import { timeline } from "../../src/postgres/migrations/first/timeline.ts"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { ChangeWatch } from "../../src/sql/client/ChangeWatch.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { it } from "../lib/effect.ts"
import { database, fresh, isInstalled } from "../lib/postgres/Database.ts"

const opened = (url: Parameters<typeof Client.layer>[0]["url"]) =>
  Effect.scoped(Effect.asVoid(Layer.build(Postgres.layer({ url, node: fresh("node") }))))
const run = <A, E>(
  url: Parameters<typeof Client.layer>[0]["url"],
  self: Effect.Effect<A, E, SqlClient.SqlClient>
) =>
  Effect.scoped(
    Effect.provide(self, Layer.provide(Client.layer({ url, node: fresh("node") }), ChangeWatch.layer))
  )

test("the functions of versions 1 to 3 stay as they were: verify compares an older database with them", () => {
  const bodies = [...journal, append(HAS_NODES, JOINED), ...commits, ...timeline].flatMap(
    (statement) => /\$body\$[\s\S]*\$body\$/.exec(statement) ?? []
  )
  expect(bodies).toHaveLength(8)
  expect(new Bun.CryptoHasher("sha256").update(bodies.join("\n")).digest("hex")).toBe(
    "d5b6bb157655ddae9b705246b64d86842ddc4d7077e7fa122f896429e8292007"
  )
})

describe.skipIf(!isInstalled)("migrations of Postgres", () => {
  it.live("run once, however many processes start at the same time", () =>
    Effect.gen(function* () {
      const { url } = yield* database("empty")
      yield* Effect.all(
        Array.from({ length: 4 }, () => opened(url)),
        { concurrency: "unbounded" }
      )
      const rows = yield* run(
        url,
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT id, name FROM signalbox_migrations`)
      )
      expect(rows).toEqual([
        { id: 1, name: "first" },
        { id: 2, name: "nodes" },
        { id: 3, name: "bell" },
        { id: 4, name: "plans" }
      ])
      expect(Migrations.VERSION).toBe(4)
    })
  )

  it.live("leave a database of an older program the functions of a new one", () =>
    Effect.gen(function* () {
      const functions = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT proname, prosrc FROM pg_proc WHERE proname LIKE 'signalbox%' ORDER BY proname`
      )
      const older = yield* database()
      yield* run(
        older.url,
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`DELETE FROM signalbox_migrations WHERE id > 3`
          // As that program made it: with the same parameters, and another body.
          for (const name of ["append", "trade", "judge", "events"]) {
            const [made] = yield* sql<{ readonly text: string }>`SELECT pg_get_functiondef(oid) AS text
              FROM pg_proc WHERE proname = ${`signalbox_${name}`}`
            yield* sql.unsafe(made?.text.replace("BEGIN", "BEGIN RAISE EXCEPTION 'old';") ?? "")
          }
        })
      )
      const before = yield* run(older.url, functions)
      const newer = yield* run((yield* database()).url, functions)
      const changed = newer.filter((one, place) => !Bun.deepEquals(one, before[place]))
      expect(changed).toHaveLength(4)
      yield* opened(older.url)
      expect(yield* run(older.url, functions)).toEqual(newer)
    })
  )

  it.live("refuse a database that a newer program has changed, and one of another program", () =>
    Effect.gen(function* () {
      const newer = yield* database()
      yield* run(
        newer.url,
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`INSERT INTO signalbox_migrations (id, name) VALUES (99, 'later')`
        )
      )
      expect(yield* Effect.flip(opened(newer.url))).toMatchObject({
        _tag: "DatabaseNewer",
        found: 99,
        known: Migrations.VERSION
      })
      const other = yield* database("empty")
      yield* run(
        other.url,
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE invoices (id int)`)
      )
      const refused = yield* Effect.flip(opened(other.url))
      expect(refused).toMatchObject({ _tag: "DatabaseUnavailable" })
      expect(refused.message).toContain("another program")
    })
  )

  it.live("make every table and column that SQLite has", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const there = yield* run(
        url,
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`SELECT table_name || '.' || column_name AS name FROM information_schema.columns
            WHERE table_schema = current_schema()`
        )
      )
      const here = yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT tables.name || '.' || columns.name AS name FROM sqlite_schema AS tables,
          pragma_table_xinfo(tables.name) AS columns WHERE tables.type = 'table'
          AND tables.name NOT IN ('sqlite_sequence', 'effect_sql_migrations', 'chores')`
      ).pipe(Effect.provide(Sqlite.layer({ filename: ":memory:" })), Effect.scoped)
      const names = new Set(there.map(({ name }) => name))
      expect(here.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([])
      expect(here.length).toBeGreaterThan(150)
    })
  )
})
