// Migration 19: moves to and from other databases.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** Both ends of a move keep its id; `at` is ms, and `other` the other end, without a password. */
const table = `CREATE TABLE moves (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('source', 'target')),
    other TEXT NOT NULL,
    finished INTEGER NOT NULL CHECK (finished IN (0, 1))
  ) STRICT, WITHOUT ROWID`

export default Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(table))
