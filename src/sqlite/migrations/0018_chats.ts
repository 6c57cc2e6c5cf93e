// Migration 18: chats that are paired with an account.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** Pairings and codes end with their notification. Times are seconds since the epoch, but for `chat_cursors.at` (ms). */
const tables = [
  `CREATE TABLE chats (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts (id),
    target INTEGER NOT NULL REFERENCES notification_targets (id) ON DELETE CASCADE,
    chat INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    paired_at INTEGER NOT NULL,
    UNIQUE (target, chat, user)
  ) STRICT`,
  `CREATE TABLE chat_codes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts (id),
    target INTEGER NOT NULL REFERENCES notification_targets (id) ON DELETE CASCADE,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    expires_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE chat_cursors (
    bot TEXT PRIMARY KEY,
    last_update INTEGER NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX chats_of_account ON chats (account, id)",
  "CREATE INDEX chat_codes_of_target ON chat_codes (target)"
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
)
