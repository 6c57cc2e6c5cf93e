import { Database } from "bun:sqlite"
import { expect } from "bun:test"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { VERSION } from "../../src/sqlite/Migrations.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { it } from "../lib/effect.ts"
import { folder } from "../services/ports.ts"

const open = (filename: string) => Layer.build(Sqlite.layer({ filename }))

it.live("whoever comes first migrates, and the others find it done", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    const children = Array.from({ length: 3 }, () =>
      Bun.spawn([process.execPath, join(import.meta.dir, "migrate.child.ts"), filename])
    )
    yield* Effect.all([open(filename), open(filename)], { concurrency: "unbounded" })
    const codes = yield* Effect.promise(() => Promise.all(children.map((child) => child.exited)))
    expect(codes).toEqual([0, 0, 0])
    const sql = yield* Effect.provide(SqlClient.SqlClient, yield* open(filename))
    expect(yield* sql`SELECT migration_id FROM effect_sql_migrations`).toEqual([{ migration_id: VERSION }])
  })
)

it.live("a database of a newer program is refused, and left alone", () =>
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
