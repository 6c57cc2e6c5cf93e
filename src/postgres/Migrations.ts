// Brings a database to this program's version, whichever process comes first: the others wait and find it done. A
// database of others is refused, and so is one that a newer program has changed.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DatabaseNewer, DatabaseUnavailable } from "../sql/client/DatabaseErrors.ts"
import { reasonOf } from "../sql/client/SqlErrors.ts"
import * as Dialect from "../sql/Dialect.ts"
import * as Joining from "./Joining.ts"
import first from "./migrations/0001_first.ts"
import nodes from "./migrations/0002_nodes.ts"
import bell from "./migrations/0003_bell.ts"
import plans from "./migrations/0004_plans.ts"

/**
 * In sequence; the first one leads to version 1. Each leaves the tables so that a program of the version before reads and
 * writes them: nodes are upgraded one by one.
 */
export type Migrations = ReadonlyArray<
  readonly [name: string, run: Effect.Effect<unknown, SqlError, SqlClient.SqlClient>]
>

const MIGRATIONS: Migrations = [
  ["first", first],
  ["nodes", nodes],
  ["bell", bell],
  ["plans", plans]
]

/** This program's version. */
export const VERSION = MIGRATIONS.length

/** The migrations that make a database of a version. */
export const upTo = (version: number): Migrations => MIGRATIONS.slice(0, version)

/** The list of migrations that have run: it tells our databases from those of other programs. */
export const TABLE = "signalbox_migrations"

/** What to migrate: `shown` names the database to the operator. */
export interface Options {
  readonly shown: string
  /** A node goes on beside newer ones, on tables that are one step newer than it knows. */
  readonly isNode?: boolean
  readonly migrations?: Migrations
}

/** Migrates the database, unless nodes run on it that would be more than one step behind. */
export const layer = (
  options: Options
): Layer.Layer<never, DatabaseNewer | DatabaseUnavailable, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.catchTag(migrate(options), "SqlError", (error) => refuse(options.shown, reasonOf(error.cause)))
  )

/** The version of a database of ours, 0 of one without tables; refuses any other. */
export const found = (
  shown: string
): Effect.Effect<number, DatabaseNewer | DatabaseUnavailable, SqlClient.SqlClient> =>
  Effect.catchTag(versionOf(shown, VERSION), "SqlError", (error) => refuse(shown, reasonOf(error.cause)))

const refuse = (filename: string, reason: string) => new DatabaseUnavailable({ filename, reason })

const migrate = Effect.fn("Postgres.migrate")(function* (options: Options) {
  const { isNode = false, migrations = MIGRATIONS, shown } = options
  const sql = yield* SqlClient.SqlClient
  const version = versionOf(shown, migrations.length + (isNode ? Joining.STEP : 0))
  // Looked at without a lock first: most starts find nothing to do.
  if ((yield* version) >= migrations.length) return
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* Dialect.inTurn(sql, TABLE)
      const found = yield* version
      if (found >= migrations.length) return
      const reason = found === 0 ? undefined : yield* Joining.whyNotMigrate(migrations.length)
      if (reason !== undefined) return yield* refuse(shown, reason)
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
