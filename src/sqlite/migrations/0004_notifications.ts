// Migration 4: events and notification targets.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * Timeline entries get their account, since a strategy may be deleted before its events are delivered; 0 is
 * everybody's, and older entries are no events. A target's `channel` holds its address and secrets, `progress` its
 * position.
 */
const tables = [
  "ALTER TABLE timeline ADD COLUMN account INTEGER",
  "CREATE INDEX timeline_of_account ON timeline (account, id) WHERE account IS NOT NULL",
  `CREATE TABLE notification_targets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    channel TEXT NOT NULL CHECK (json_valid(channel)),
    kinds TEXT NOT NULL CHECK (json_valid(kinds)),
    created_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    progress TEXT NOT NULL CHECK (json_valid(progress))
  ) STRICT`,
  "CREATE INDEX notification_targets_of_account ON notification_targets (account, id)"
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
)
