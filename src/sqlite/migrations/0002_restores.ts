import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * Each time that the database was put back from a backup: `file` is the backup's name, `head` the hash of the
 * ledger's last row then, in hex. What must not go on by itself after a restore waits for `resumed_at`.
 */
const table = `CREATE TABLE restores (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  file TEXT NOT NULL,
  head TEXT NOT NULL,
  resumed_at INTEGER
) STRICT`

export default Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(table))
