// Migration 21: how far the rules of signals were looked at.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** `place` is a market's key, or `schedule`; `looked_at` is the close of the last candle that was looked at, in ms. */
const tables = [
  `CREATE TABLE rule_progress (
    signal_id INTEGER NOT NULL REFERENCES signals (id) ON DELETE CASCADE,
    place TEXT NOT NULL,
    version INTEGER NOT NULL,
    looked_at INTEGER NOT NULL,
    PRIMARY KEY (signal_id, place)
  ) STRICT, WITHOUT ROWID`
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
)
