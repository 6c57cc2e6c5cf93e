// Brings a database to this program's version, whichever process comes first: the others wait and find it done. A
// database of others is refused, and so is one that a newer program has changed.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DatabaseNewer, DatabaseUnavailable } from "../sql/client/DatabaseErrors.ts"
import { reasonOf } from "../sql/client/SqlErrors.ts"
import * as Dialect from "../sql/Dialect.ts"
import first from "./migrations/0001_first.ts"

/** In sequence; the first one leads to version 1. */
export type Migrations = ReadonlyArray<
  readonly [name: string, run: Effect.Effect<unknown, SqlError, SqlClient.SqlClient>]
>

const MIGRATIONS: Migrations = [["first", first]]

/** This program's version. */
export const VERSION = MIGRATIONS.length

/** The migrations that make a database of a version. */
export const upTo = (version: number): Migrations => MIGRATIONS.slice(0, version)

/** The list of migrations that have run: it tells our databases from those of other programs. */
export const TABLE = "signalbox_migrations"

/** Migrates the database, which `shown` names to the operator. */
export const layer = (
  shown: string,
  migrations: Migrations = MIGRATIONS
): Layer.Layer<never, DatabaseNewer | DatabaseUnavailable, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.catchTag(migrate(shown, migrations), "SqlError", (error) => refuse(shown, reasonOf(error.cause)))
  )

/** The version of a database of ours, 0 of one without tables; refuses any other. */
export const found = (
  shown: string
): Effect.Effect<number, DatabaseNewer | DatabaseUnavailable, SqlClient.SqlClient> =>
  Effect.catchTag(versionOf(shown, VERSION), "SqlError", (error) => refuse(shown, reasonOf(error.cause)))

const refuse = (filename: string, reason: string) => new DatabaseUnavailable({ filename, reason })

const migrate = Effect.fn("Postgres.migrate")(function* (shown: string, migrations: Migrations) {
  const sql = yield* SqlClient.SqlClient
  // Looked at without a lock first: most starts find nothing to do.
  if ((yield* versionOf(shown, migrations.length)) === migrations.length) return
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* Dialect.inTurn(sql, TABLE)
      const found = yield* versionOf(shown, migrations.length)
      yield* sql.unsafe(`CREATE TABLE IF NOT EXISTS ${TABLE} (
        id bigint PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp())`)
      for (const [index, [name, run]] of migrations.entries()) {
        if (index < found) continue
        yield* run
        yield* sql`INSERT INTO ${sql.literal(TABLE)} (id, name) VALUES (${index + 1}, ${name})`
      }
    })
  )
})

/** The tables of the schema that new tables would be made in, but for those of extensions. */
const TABLES = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
  AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')`

const versionOf = Effect.fn("Postgres.versionOf")(function* (filename: string, known: number) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql.unsafe<{ readonly name: string }>(TABLES)
  if (tables.length === 0) return 0
  if (!tables.some(({ name }) => name === TABLE))
    return yield* refuse(filename, "it holds tables of another program: give Signalbox a database of its own")
  const [row] = yield* sql.unsafe<{ readonly version: number }>(
    `SELECT coalesce(max(id), 0) AS version FROM ${TABLE}`
  )
  const found = row?.version ?? 0
  if (found > known) return yield* new DatabaseNewer({ filename, found, known })
  return found
})
