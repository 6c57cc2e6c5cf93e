// Migration 1: the first tables. Ids are AUTOINCREMENT and never reused; times end in `_at` and are seconds, except in
// the journal and the timeline (ms).
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** The tables and indexes. */
const tables = [
  `CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts (id),
    scope TEXT NOT NULL CHECK (scope IN ('full', 'alerts')),
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
  ) STRICT`,
  `CREATE TABLE signals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    public INTEGER NOT NULL CHECK (public IN (0, 1)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX signals_of_account ON signals (account, id)",
  // `settings` is JSON of all settings but the signal, whose own column lets it be detached.
  `CREATE TABLE strategies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts (id),
    signal_id INTEGER,
    settings TEXT NOT NULL CHECK (json_valid(settings)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX strategies_of_account ON strategies (account, id)",
  "CREATE INDEX strategies_of_signal ON strategies (signal_id, id) WHERE signal_id IS NOT NULL",
  // The journal. No reference to the signal: an alert outlives its signal.
  `CREATE TABLE alerts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts (id),
    token INTEGER NOT NULL REFERENCES tokens (id),
    signal_id INTEGER NOT NULL,
    coin TEXT NOT NULL,
    quote TEXT NOT NULL,
    type TEXT NOT NULL,
    tp REAL,
    sl REAL,
    received_at INTEGER NOT NULL,
    repeats INTEGER NOT NULL DEFAULT 0,
    warnings TEXT NOT NULL DEFAULT '[]'
  ) STRICT`,
  "CREATE INDEX alerts_of_account ON alerts (account, id)",
  // Idempotency keys of alerts: digests, never the body itself. `expires_at` in ms.
  `CREATE TABLE alert_keys (
    account INTEGER NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    alert_id INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (account, key)
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX alert_keys_by_expiry ON alert_keys (expires_at)",
  // Readiness is tested by writing here.
  "CREATE TABLE probe (id INTEGER PRIMARY KEY, filler BLOB NOT NULL) STRICT",
  `CREATE TABLE outcomes (
    alert_id INTEGER NOT NULL,
    strategy_id INTEGER NOT NULL,
    account INTEGER NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (alert_id, strategy_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE timeline (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    strategy_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    rule TEXT NOT NULL,
    alert_id INTEGER,
    reason TEXT,
    text TEXT NOT NULL,
    facts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(facts))
  ) STRICT`,
  "CREATE INDEX timeline_of_strategy ON timeline (strategy_id, id)",
  `CREATE TABLE idempotency (
    account INTEGER NOT NULL,
    key TEXT NOT NULL,
    request TEXT NOT NULL,
    status INTEGER NOT NULL,
    location TEXT,
    body TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (account, key)
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX idempotency_by_expiry ON idempotency (expires_at)",
  // The bots' state and books. JSON holds decimals as text. No references: books outlive their strategies.
  `CREATE TABLE bots (
    strategy_id INTEGER PRIMARY KEY,
    step INTEGER NOT NULL,
    state TEXT NOT NULL,
    tally TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE orders (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    strategy_id INTEGER NOT NULL,
    intent TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN
      ('intended', 'accepted', 'unknown', 'partly_filled', 'filled', 'rejected', 'cancelled'))
  ) STRICT`,
  `CREATE INDEX orders_unsettled ON orders (sequence)
    WHERE status IN ('intended', 'accepted', 'unknown', 'partly_filled')`,
  `CREATE TABLE fills (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    strategy_id INTEGER NOT NULL,
    fill TEXT NOT NULL
  ) STRICT`,
  "CREATE INDEX fills_of_strategy ON fills (strategy_id, id)",
  `CREATE TABLE trades (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    strategy_id INTEGER NOT NULL,
    trade TEXT NOT NULL
  ) STRICT`,
  "CREATE INDEX trades_of_strategy ON trades (strategy_id, id)",
  // A chain: `hash` is the SHA-256 of the previous hash and of this row.
  `CREATE TABLE ledger (
    id INTEGER PRIMARY KEY,
    strategy_id INTEGER NOT NULL,
    posting TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
  ) STRICT`,
  "CREATE INDEX ledger_of_strategy ON ledger (strategy_id, id)",
  `CREATE TABLE waiting (
    alert_id INTEGER NOT NULL,
    strategy_id INTEGER NOT NULL,
    owner INTEGER NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (alert_id, strategy_id)
  ) STRICT, WITHOUT ROWID`,
  // One row: the alert up to which all are judged.
  "CREATE TABLE engine (id INTEGER PRIMARY KEY CHECK (id = 1), cursor INTEGER NOT NULL) STRICT",
  // The operator's switches; anything absent is on.
  `CREATE TABLE exchange_switches (
    exchange TEXT PRIMARY KEY,
    active INTEGER NOT NULL CHECK (active IN (0, 1))
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE market_switches (
    exchange TEXT NOT NULL,
    pair TEXT NOT NULL,
    kind TEXT NOT NULL,
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    buy_enabled INTEGER NOT NULL CHECK (buy_enabled IN (0, 1)),
    PRIMARY KEY (exchange, pair, kind)
  ) STRICT, WITHOUT ROWID`
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
)
