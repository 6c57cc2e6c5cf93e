// Migration 22: settings that others replaced, and when the server last ran.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** Times are ms since the epoch. `revision` is the strategy's while it had the settings. `heartbeat` has one row. */
const tables = [
  `CREATE TABLE past_settings (
    strategy_id INTEGER NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    until INTEGER NOT NULL,
    settings TEXT NOT NULL CHECK (json_valid(settings)),
    PRIMARY KEY (strategy_id, revision)
  ) STRICT, WITHOUT ROWID`,
  "CREATE TABLE heartbeat (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT"
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
)
