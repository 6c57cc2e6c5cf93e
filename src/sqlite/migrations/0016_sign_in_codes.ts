// Migration 16: one-time codes for signing in.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** A code without a token makes the first account. Times are seconds since the epoch. */
const table = `CREATE TABLE sign_in_codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token INTEGER REFERENCES tokens (id),
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  expires_at INTEGER NOT NULL
) STRICT`

export default Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(table))
