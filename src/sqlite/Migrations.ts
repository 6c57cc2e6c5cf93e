// Brings a database to this program's version. An older database is copied to a file beside it first; without the copy,
// nothing is changed.
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as SqliteMigrator from "@effect/sql-sqlite-bun/SqliteMigrator"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DatabaseNewer, DatabaseUnavailable } from "../sql/client/DatabaseErrors.ts"
import * as LongWork from "../sql/client/LongWork.ts"
import { reasonOf } from "../sql/client/SqlErrors.ts"
import { UNSEALED } from "../sql/rows/Versions.ts"
import { copy, isIntact } from "./backups/Copy.ts"
import { partOf, place, stamp } from "./backups/Durable.ts"
import first from "./migrations/0001_first.ts"
import restores from "./migrations/0002_restores.ts"
import marketRefreshes from "./migrations/0003_market_refreshes.ts"
import notifications from "./migrations/0004_notifications.ts"
import sessions from "./migrations/0005_sessions.ts"
import dashboard from "./migrations/0006_dashboard.ts"
import alertBodies from "./migrations/0007_alert_bodies.ts"
import live from "./migrations/0008_live.ts"
import followings from "./migrations/0009_followings.ts"
import partitions from "./migrations/0010_partitions.ts"
import tokenMakers from "./migrations/0011_token_makers.ts"
import sealedTargets from "./migrations/0012_sealed_targets.ts"
import alertExtras from "./migrations/0013_alert_extras.ts"
import equity from "./migrations/0014_equity.ts"
import tradesAndReasons from "./migrations/0015_trades_and_reasons.ts"
import signInCodes from "./migrations/0016_sign_in_codes.ts"
import directory from "./migrations/0017_directory.ts"
import chats from "./migrations/0018_chats.ts"
import moves from "./migrations/0019_moves.ts"
import signalRules from "./migrations/0020_signal_rules.ts"
import ruleProgress from "./migrations/0021_rule_progress.ts"
import pastSettings from "./migrations/0022_past_settings.ts"
import whatIfTries from "./migrations/0023_what_if_tries.ts"
import * as NewDatabase from "./migrations/newDatabase.ts"

/** By `number_name`, in sequence. */
export type Migrations = Readonly<Record<string, Effect.Effect<unknown, SqlError, SqlClient.SqlClient>>>

const numberOf = (name: string): number => Number.parseInt(name, 10)
const latest = (migrations: Migrations): number => Math.max(...Object.keys(migrations).map(numberOf))

/** After a change run `bun scripts/schema.ts`: a new database begins with what all of them leave. */
const MIGRATIONS: Migrations = {
  "0001_first": first,
  "0002_restores": restores,
  "0003_market_refreshes": marketRefreshes,
  "0004_notifications": notifications,
  "0005_sessions": sessions,
  "0006_dashboard": dashboard,
  "0007_alert_bodies": alertBodies,
  "0008_live": live,
  "0009_followings": followings,
  "0010_partitions": partitions,
  "0011_token_makers": tokenMakers,
  "0012_sealed_targets": sealedTargets,
  "0013_alert_extras": alertExtras,
  "0014_equity": equity,
  "0015_trades_and_reasons": tradesAndReasons,
  "0016_sign_in_codes": signInCodes,
  "0017_directory": directory,
  "0018_chats": chats,
  "0019_moves": moves,
  "0020_signal_rules": signalRules,
  "0021_rule_progress": ruleProgress,
  "0022_past_settings": pastSettings,
  "0023_what_if_tries": whatIfTries
}

/** The migrations that make a database of a version. */
export const upTo = (version: number): Migrations =>
  Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => numberOf(name) <= version))

/** This program's version. */
export const VERSION = latest(MIGRATIONS)

export interface Options {
  readonly migrations?: Migrations
  /** Whether to copy an existing database first; true by default. */
  readonly keep?: boolean
}

/** `SBOX`: tells our databases from those of other programs. */
export const APPLICATION = 0x53_42_4f_58

/** Migrates, whichever process comes first; the others wait and find it done. */
export const layer = (
  filename: string,
  { keep = true, migrations = MIGRATIONS }: Options = {}
): Layer.Layer<never, DatabaseNewer | DatabaseUnavailable, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    migrate(filename, migrations, keep).pipe(
      Effect.catchTags({
        SqlError: (error) => refuse(filename, reasonOf(error.cause)),
        MigrationError: (error) => refuse(filename, error.message)
      })
    )
  )

const refuse = (filename: string, reason: string) => new DatabaseUnavailable({ filename, reason })

const migrate = Effect.fn("Sqlite.migrate")(function* (
  filename: string,
  migrations: Migrations,
  keep: boolean
) {
  const sql = yield* SqlClient.SqlClient
  const version = latest(migrations)
  // Checked without a transaction first, so that a command need not wait for a busy server's turn to write.
  if ((yield* versionOf(filename, version)) === version) return
  yield* sql.withTransaction(
    Effect.gen(function* () {
      const found = yield* versionOf(filename, version)
      if (found === version) return
      // Inside the transaction nobody else may write, and nothing is written yet.
      if (found > 0 && keep) yield* noteUnsealed(found, version, yield* keepAside(filename, found, version))
      if (found === 0 && migrations === MIGRATIONS && NewDatabase.VERSION === version) yield* begin
      else yield* Migrator.make({})({ loader: SqliteMigrator.fromRecord(announced(migrations, found)) })
      if (found > 0) yield* LongWork.tell({ words: "up to date", done: 1, total: 1 })
      yield* sql.unsafe(`PRAGMA application_id = ${APPLICATION}`)
      yield* sql.unsafe(`PRAGMA user_version = ${version}`)
    })
  )
})

/** Makes the tables of a new database as all migrations leave them, and notes those as done. */
const begin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(NewDatabase.STATEMENTS, (statement) => sql.unsafe(statement), { discard: true })
  const done = Object.keys(MIGRATIONS).map((name) => ({
    migration_id: numberOf(name),
    name: name.slice(name.indexOf("_") + 1)
  }))
  yield* sql`INSERT INTO effect_sql_migrations ${sql.insert(done)}`
})

/** The migrations, each announced before it begins. A new database has nothing that takes long. */
const announced = (migrations: Migrations, found: number): Migrations =>
  found === 0
    ? migrations
    : Object.fromEntries(
        Object.entries(migrations).map(([name, run]) => {
          const total = latest(migrations) - found + 1
          const words = `bringing the database to version ${numberOf(name)}`
          return [name, Effect.zipRight(LongWork.tell({ words, done: numberOf(name) - found, total }), run)]
        })
      )

/** Copies to `signalbox.db.before-2-20261121T235200Z`: complete and on disk before the first change. */
const keepAside = Effect.fn("Sqlite.keepAside")(function* (filename: string, found: number, version: number) {
  const file = `${filename}.before-${version}-${yield* stamp}`
  yield* Effect.scoped(
    Effect.flatMap(partOf(file), (part) =>
      Effect.try({
        try: () => {
          copy(filename, part)
          if (!isIntact(part)) throw new Error("the copy is damaged")
          place(part, file)
        },
        catch: (cause) =>
          refuse(
            filename,
            `it is of version ${found}, and cannot be copied to ${file} before it is brought to ${version}: ${reasonOf(cause)}`
          )
      }).pipe(LongWork.watched("copying the database", 1, () => 0))
    )
  )
  yield* Effect.logInfo(
    `the database is of version ${found}: kept as ${file}, and brought to version ${version}`
  )
  return file
})

/** Warns that the copy holds unsealed secrets, which its readers can read. */
const noteUnsealed = Effect.fnUntraced(function* (found: number, version: number, file: string) {
  const sql = yield* SqlClient.SqlClient
  if (found < UNSEALED.from || found >= UNSEALED.below || version < UNSEALED.below) return
  const targets = yield* sql`SELECT 1 FROM sqlite_sequence WHERE name = 'notification_targets'`.values
  if (targets.length > 0)
    yield* Effect.logWarning(
      `the addresses and secrets of notifications are sealed from now on, but ${file} holds them unsealed, as do older backups: delete it once you will not go back to the version before`
    )
})

const versionOf = Effect.fn("Sqlite.versionOf")(function* (filename: string, known: number) {
  const sql = yield* SqlClient.SqlClient
  const numberOf = (statement: string) =>
    Effect.map(sql.unsafe(statement).values, (rows) => Number(rows[0]?.[0] ?? 0))
  const version = yield* numberOf("PRAGMA user_version")
  const tables = yield* numberOf("SELECT count(*) FROM sqlite_schema")
  const application = yield* numberOf("PRAGMA application_id")
  if (tables > 0 && application !== APPLICATION)
    return yield* refuse(filename, "it belongs to another program")
  // Either mark counts: a later program may leave only one of them.
  const found =
    version === 0
      ? 0
      : Math.max(version, yield* numberOf("SELECT max(migration_id) FROM effect_sql_migrations"))
  if (found > known) return yield* new DatabaseNewer({ filename, found, known })
  return found
})
