import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import * as SqliteMigrator from "@effect/sql-sqlite-bun/SqliteMigrator"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { DatabaseUnavailable } from "./Client.ts"
import { reasonOf } from "./Failure.ts"
import first from "./migrations/0001_first.ts"

export class DatabaseNewer extends Schema.TaggedError<DatabaseNewer>()("DatabaseNewer", {
  filename: Schema.String,
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message() {
    return `the database ${this.filename} is of version ${this.found}, and this program knows ${this.known}: use a newer program`
  }
}

const migrations = { "0001_first": first }

/** The version of a database that all migrations were run on. */
export const VERSION = Object.keys(migrations).length

/** `SBOX`: tells our databases from those of other programs. */
export const APPLICATION = 0x53_42_4f_58

/** Brings the database to our version, whichever process comes first; the others wait and find it done. */
export const layer = (
  filename: string
): Layer.Layer<never, DatabaseNewer | DatabaseUnavailable, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    migrate(filename).pipe(
      Effect.catchTags({
        SqlError: (error) => refuse(filename, reasonOf(error.cause)),
        MigrationError: (error) => refuse(filename, error.message)
      })
    )
  )

const refuse = (filename: string, reason: string) => new DatabaseUnavailable({ filename, reason })

const migrate = Effect.fn("Sqlite.migrate")(function* (filename: string) {
  const sql = yield* SqlClient.SqlClient
  // Without a transaction first, so that a command beside a busy server need not wait for its turn to write.
  if ((yield* versionOf(filename)) === VERSION) return
  yield* sql.withTransaction(
    Effect.gen(function* () {
      if ((yield* versionOf(filename)) === VERSION) return
      yield* run
      yield* sql.unsafe(`PRAGMA application_id = ${APPLICATION}`)
      yield* sql.unsafe(`PRAGMA user_version = ${VERSION}`)
    })
  )
})

const run = Migrator.make({})({ loader: SqliteMigrator.fromRecord(migrations) })

const versionOf = Effect.fn("Sqlite.versionOf")(function* (filename: string) {
  const sql = yield* SqlClient.SqlClient
  const numberOf = (statement: string) =>
    Effect.map(sql.unsafe(statement).values, (rows) => Number(rows[0]?.[0] ?? 0))
  const version = yield* numberOf("PRAGMA user_version")
  const tables = yield* numberOf("SELECT count(*) FROM sqlite_schema")
  const application = yield* numberOf("PRAGMA application_id")
  if (tables > 0 && application !== APPLICATION)
    return yield* refuse(filename, "it belongs to another program")
  // Either mark is enough: a later program may leave only one of them.
  const found =
    version === 0
      ? 0
      : Math.max(version, yield* numberOf("SELECT max(migration_id) FROM effect_sql_migrations"))
  if (found > VERSION) return yield* new DatabaseNewer({ filename, found, known: VERSION })
  return found
})
