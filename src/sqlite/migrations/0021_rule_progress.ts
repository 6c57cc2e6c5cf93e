// Migration 21: how far the rules of signals were looked at, and alerts of rules that wait for one from outside.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** `place` is a market's key, or `schedule`; `looked_at` is the close of the last candle that was looked at, in ms. `ended_at` is null while an alert waits. */
const tables = [
  `CREATE TABLE rule_progress (
    signal_id INTEGER NOT NULL REFERENCES signals (id) ON DELETE CASCADE,
    place TEXT NOT NULL,
    version INTEGER NOT NULL,
    looked_at INTEGER NOT NULL,
    PRIMARY KEY (signal_id, place)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE rule_witnesses (
    key TEXT PRIMARY KEY,
    signal_id INTEGER NOT NULL REFERENCES signals (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    mode TEXT NOT NULL,
    at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    instruction TEXT NOT NULL,
    origin TEXT NOT NULL,
    ended_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX rule_witnesses_of_signal ON rule_witnesses (signal_id)",
  "CREATE INDEX rule_witnesses_by_due ON rule_witnesses (due_at) WHERE ended_at IS NULL",
  "CREATE INDEX rule_witnesses_by_end ON rule_witnesses (ended_at) WHERE ended_at IS NOT NULL"
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
)
