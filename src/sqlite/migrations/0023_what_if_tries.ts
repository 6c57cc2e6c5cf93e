// Migration 25: the what-ifs that were tried on a strategy.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** `at`, `from_at` and `until_at` are ms since the epoch. */
const table = `CREATE TABLE what_if_tries (
  strategy_id INTEGER NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
  digest TEXT NOT NULL,
  from_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  at INTEGER NOT NULL,
  changes TEXT NOT NULL CHECK (json_valid(changes)),
  net TEXT NOT NULL,
  trades INTEGER NOT NULL,
  sharpe REAL NOT NULL,
  PRIMARY KEY (strategy_id, digest, from_at)
) STRICT, WITHOUT ROWID`

export default Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(table))
