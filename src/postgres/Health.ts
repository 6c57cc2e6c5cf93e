// What the operator of a Postgres server should know of it, for a doctor that changes nothing.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { inRealTime } from "../services/internal/RealTime.ts"
import * as Rows from "../sql/rows/Rows.ts"

const Server = Schema.Struct({
  /** As `150018` for 15.18. */
  version: Schema.Int,
  name: Schema.String,
  /** As sessions begin with it: those of this program set it to what an answered commit needs. */
  synchronousCommit: Schema.String,
  fsync: Schema.Boolean,
  fullPageWrites: Schema.Boolean,
  /** The server's clock (ms). */
  at: Schema.Number,
  /** Connections that are still free for this user; the database or the user may have a limit of their own. */
  connectionsLeft: Schema.Int,
  /** Whether the user may make tables here. */
  mayCreate: Schema.Boolean,
  /** Tables of ours that the user may not read and write. */
  closedTables: Schema.Int,
  /** Whether the server only follows another one. */
  follows: Schema.Boolean,
  readOnly: Schema.Boolean,
  /** How far it is behind the one that it follows, in seconds; null where it follows none or has nothing yet. */
  behindSeconds: Schema.NullOr(Schema.Number),
  followers: Schema.Int,
  /** How far the slowest follower is behind, in seconds; null where nobody may read it. */
  lagSeconds: Schema.NullOr(Schema.Number)
})

/** The state of a Postgres server, as a user of one of its databases sees it. */
export interface Health extends Schema.Schema.Type<typeof Server> {
  /** The server's clock less this machine's (ms), to half of what the question took. */
  readonly clockDifference: number
}

const rows = Rows.reader(Server)

const setting = (name: string) => `(SELECT reset_val FROM pg_settings WHERE name = '${name}')`
const number = (name: string) => `current_setting('${name}')::bigint`
/** -1 stands for no limit. */
const left = (limit: string, used: string) =>
  `CASE WHEN ${limit} < 0 THEN 2147483647 ELSE ${limit} - ${used} END`

const CLIENTS = "pg_stat_activity WHERE backend_type = 'client backend'"
const STATEMENT = `SELECT ${number("server_version_num")} AS version,
  current_setting('server_version') AS name,
  ${setting("synchronous_commit")} AS "synchronousCommit",
  current_setting('fsync') = 'on' AS fsync,
  current_setting('full_page_writes') = 'on' AS "fullPageWrites",
  CAST(extract(epoch FROM clock_timestamp()) * 1000 AS float8) AS at,
  CAST(least(
    ${number("max_connections")} - ${number("superuser_reserved_connections")} - (SELECT count(*) FROM ${CLIENTS}),
    (SELECT ${left("datconnlimit", `(SELECT count(*) FROM ${CLIENTS} AND datname = current_database())`)}
      FROM pg_database WHERE datname = current_database()),
    (SELECT ${left("rolconnlimit", `(SELECT count(*) FROM ${CLIENTS} AND usename = current_user)`)}
      FROM pg_roles WHERE rolname = current_user)
  ) AS bigint) AS "connectionsLeft",
  coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreate",
  (SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
    AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
      AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))) AS "closedTables",
  pg_is_in_recovery() AS follows,
  current_setting('transaction_read_only') = 'on' AS "readOnly",
  CASE WHEN pg_is_in_recovery()
    THEN CAST(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) AS float8) END AS "behindSeconds",
  (SELECT count(*) FROM pg_stat_replication) AS followers,
  (SELECT CAST(max(extract(epoch FROM replay_lag)) AS float8) FROM pg_stat_replication) AS "lagSeconds"`

/** Reads it all at one moment. */
export const read: Effect.Effect<Health, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = yield* Clock.currentTimeMillis
  const server = yield* rows.one(sql.unsafe(STATEMENT))
  const after = yield* Clock.currentTimeMillis
  return { ...server, clockDifference: server.at - (before + after) / 2 }
}).pipe(inRealTime)
