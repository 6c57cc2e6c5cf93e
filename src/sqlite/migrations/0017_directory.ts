// Migration 17: the public directory, with the record of every strategy, and copies of strategies.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as RecordHistory from "./RecordHistory.ts"

/**
 * `strategy_records` and `signal_records` have a row for each strategy and signal, public or not, and go with it. Times
 * are seconds, in `record` and `record_periods` ms. `search` and `markets` are what the directory looks for words and
 * markets in. `publishers` stays when what was published goes.
 */
const tables = [
  "ALTER TABLE signals ADD COLUMN display_name TEXT",
  "ALTER TABLE strategies ADD COLUMN copied_from INTEGER",
  `CREATE TABLE publishers (
    account INTEGER PRIMARY KEY REFERENCES accounts (id),
    number INTEGER NOT NULL UNIQUE,
    published INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE strategy_records (
    strategy_id INTEGER PRIMARY KEY REFERENCES strategies (id) ON DELETE CASCADE,
    account INTEGER NOT NULL,
    listed INTEGER NOT NULL CHECK (listed IN (0, 1)),
    first_published_at INTEGER,
    published_at INTEGER,
    times_published INTEGER NOT NULL,
    settings_since INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('paper', 'real')),
    record TEXT NOT NULL CHECK (json_valid(record)),
    score REAL NOT NULL,
    copies INTEGER NOT NULL DEFAULT 0,
    search TEXT NOT NULL,
    markets TEXT NOT NULL
  ) STRICT`,
  "CREATE INDEX strategies_by_record ON strategy_records (score DESC, strategy_id DESC) WHERE listed = 1",
  "CREATE INDEX strategies_by_publication ON strategy_records (published_at DESC, strategy_id DESC) WHERE listed = 1",
  "CREATE INDEX strategies_by_age ON strategy_records (first_published_at, strategy_id) WHERE listed = 1",
  "CREATE INDEX strategies_by_copies ON strategy_records (copies DESC, strategy_id DESC) WHERE listed = 1",
  `CREATE TABLE record_periods (
    strategy_id INTEGER NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    period INTEGER NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('paper', 'real')),
    currency TEXT NOT NULL,
    tally TEXT NOT NULL CHECK (json_valid(tally)),
    until INTEGER NOT NULL,
    PRIMARY KEY (strategy_id, period)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE signal_records (
    signal_id INTEGER PRIMARY KEY REFERENCES signals (id) ON DELETE CASCADE,
    account INTEGER NOT NULL,
    listed INTEGER NOT NULL CHECK (listed IN (0, 1)),
    first_published_at INTEGER,
    published_at INTEGER,
    times_published INTEGER NOT NULL,
    followers INTEGER NOT NULL,
    search TEXT NOT NULL
  ) STRICT`,
  "CREATE INDEX signals_by_followers ON signal_records (followers DESC, signal_id DESC) WHERE listed = 1",
  "CREATE INDEX signals_by_publication ON signal_records (published_at DESC, signal_id DESC) WHERE listed = 1",
  "CREATE INDEX signals_by_age ON signal_records (first_published_at, signal_id) WHERE listed = 1",
  "CREATE INDEX strategies_followers ON strategies (signal_id, account) WHERE signal_id IS NOT NULL",
  // `reported` is the last of the original's changes that its owner knows, `reports` how many since the last sync.
  `CREATE TABLE copies (
    strategy_id INTEGER PRIMARY KEY REFERENCES strategies (id) ON DELETE CASCADE,
    account INTEGER NOT NULL,
    origin INTEGER NOT NULL,
    base TEXT NOT NULL CHECK (json_valid(base)),
    kept TEXT NOT NULL CHECK (json_valid(kept)),
    taken_at INTEGER NOT NULL,
    reported INTEGER NOT NULL,
    reports INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX copies_of_origin ON copies (origin, account)",
  "CREATE INDEX copies_to_report ON copies (origin, reported, strategy_id)",
  // Originals that changed, and whose copies' owners are not all told.
  "CREATE TABLE changed_origins (origin INTEGER PRIMARY KEY) STRICT",
  `INSERT INTO signal_records
    SELECT id, account, 0, NULL, NULL, 0,
      (SELECT count(DISTINCT account) FROM strategies WHERE signal_id = signals.id AND account <> signals.account), ''
    FROM signals`
]

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
  yield* RecordHistory.fill(sql)
})
