// Migration 5: dashboard sessions.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** Each session has the token that it ends with. Times are seconds since the epoch. */
const tables = [
  `CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token INTEGER NOT NULL REFERENCES tokens (id),
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX sessions_of_token ON sessions (token)"
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
)
