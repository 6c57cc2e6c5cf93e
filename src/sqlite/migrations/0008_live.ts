// Migration 8: real money: exchange accounts, halts, commands, periods of trades.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * `exchange_accounts` holds sealed keys; `sealed_with` names the master key, which is never stored here. `halts` are
 * those in force; account 0 is everybody's. `mandates` are commands left for the server; `answer` is null until it has
 * taken one up. A trade's `period` is generated from its row; the index has only periods after the first, so it costs
 * nothing without real money. Sums of days are separated by `live`.
 */
const tables = [
  `CREATE TABLE exchange_accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    exchange TEXT NOT NULL,
    sandbox INTEGER NOT NULL CHECK (sandbox IN (0, 1)),
    sealed_with TEXT NOT NULL,
    nonce BLOB NOT NULL CHECK (length(nonce) = 12),
    sealed BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    checked_at INTEGER,
    problem TEXT,
    UNIQUE (account, name)
  ) STRICT`,
  `CREATE TABLE halts (
    account INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    cause TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE mandates (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL,
    strategy_id INTEGER NOT NULL,
    wish TEXT NOT NULL CHECK (json_valid(wish)),
    at INTEGER NOT NULL,
    answer TEXT CHECK (json_valid(answer))
  ) STRICT`,
  "CREATE INDEX mandates_pending ON mandates (id) WHERE answer IS NULL",
  // Orders newest first, each with its fills.
  "CREATE INDEX orders_of_strategy ON orders (strategy_id, sequence)",
  "CREATE INDEX fills_of_order ON fills (CASE WHEN json_valid(fill) THEN json_extract(fill, '$.order') END)",
  `ALTER TABLE trades ADD COLUMN period INTEGER GENERATED ALWAYS AS
    (CASE WHEN json_valid(trade) THEN CAST(coalesce(json_extract(trade, '$.period'), 1) AS INTEGER) END) VIRTUAL`,
  "CREATE INDEX trades_of_later_periods ON trades (strategy_id, period, id) WHERE period > 1",
  "ALTER TABLE result_days RENAME TO result_days_before",
  `CREATE TABLE result_days (
    account INTEGER NOT NULL,
    currency TEXT NOT NULL,
    live INTEGER NOT NULL CHECK (live IN (0, 1)),
    day INTEGER NOT NULL,
    net TEXT NOT NULL,
    PRIMARY KEY (account, currency, live, day)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO result_days (account, currency, live, day, net)
    SELECT account, currency, 0, day, net FROM result_days_before`,
  "DROP TABLE result_days_before"
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
)
