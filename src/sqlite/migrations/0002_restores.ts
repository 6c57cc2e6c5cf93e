// Migration 2: the record of restores.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * A restore from a backup: `file` is the backup's name, `head` the hash of the ledger's last row, in hex. What must not
 * continue by itself waits for `resumed_at`.
 */
const table = `CREATE TABLE restores (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  file TEXT NOT NULL,
  head TEXT NOT NULL,
  resumed_at INTEGER
) STRICT`

export default Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(table))
