import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * Real money. `exchange_accounts` holds keys sealed with a master key that is never here: `sealed_with` says which.
 * `halts` are those in force; account 0 is everybody's. `mandates` are what commands left for the server; `answer` is
 * null until it has taken one up.
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
  // Orders as they are looked at, newest first, each with its fills.
  "CREATE INDEX orders_of_strategy ON orders (strategy_id, sequence)",
  "CREATE INDEX fills_of_order ON fills (CASE WHEN json_valid(fill) THEN json_extract(fill, '$.order') END)"
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
)
