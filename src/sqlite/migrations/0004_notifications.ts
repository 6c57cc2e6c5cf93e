import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * Events and those who are told of them. A line of a timeline says from now on whose it is, since its strategy may be
 * gone before it is told of; 0 is everybody's, and older lines are no events. `channel` of a target holds its address
 * and its secrets, `progress` how far it has come.
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
