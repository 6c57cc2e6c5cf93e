// Migration 20: rules of signals, as JSON text. `rule_version` counts every rule that a signal has had, and
// `rule_made_at` is when the present one was made, in seconds since the epoch; null without one.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

const columns = [
  "ALTER TABLE signals ADD COLUMN rule TEXT",
  "ALTER TABLE signals ADD COLUMN rule_version INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE signals ADD COLUMN rule_made_at INTEGER"
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(columns, (column) => sql.unsafe(column), { discard: true })
)
