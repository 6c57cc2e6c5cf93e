// The public directory: records of strategies and signals, publishers, and copies.
import { bit, TEXT } from "./types.ts"

/** The tables of the directory. Times are seconds, in `record` and `record_periods` ms. */
export const directory = [
  `CREATE TABLE publishers (
    account bigint PRIMARY KEY REFERENCES accounts (id),
    number bigint NOT NULL UNIQUE,
    published bigint NOT NULL
  )`,
  `CREATE TABLE strategy_records (
    strategy_id bigint PRIMARY KEY REFERENCES strategies (id) ON DELETE CASCADE,
    account bigint NOT NULL,
    ${bit("listed")},
    first_published_at bigint,
    published_at bigint,
    times_published bigint NOT NULL,
    settings_since bigint NOT NULL,
    changes bigint NOT NULL,
    mode ${TEXT} NOT NULL CHECK (mode IN ('paper', 'real')),
    record ${TEXT} NOT NULL,
    score float8 NOT NULL,
    copies bigint NOT NULL DEFAULT 0,
    search ${TEXT} NOT NULL,
    markets ${TEXT} NOT NULL
  )`,
  "CREATE INDEX strategies_by_record ON strategy_records (score DESC, strategy_id DESC) WHERE listed = 1",
  "CREATE INDEX strategies_by_publication ON strategy_records (published_at DESC, strategy_id DESC) WHERE listed = 1",
  "CREATE INDEX strategies_by_age ON strategy_records (first_published_at, strategy_id) WHERE listed = 1",
  "CREATE INDEX strategies_by_copies ON strategy_records (copies DESC, strategy_id DESC) WHERE listed = 1",
  `CREATE TABLE record_periods (
    strategy_id bigint NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    period bigint NOT NULL,
    mode ${TEXT} NOT NULL CHECK (mode IN ('paper', 'real')),
    currency ${TEXT} NOT NULL,
    tally ${TEXT} NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (strategy_id, period)
  )`,
  `CREATE TABLE signal_records (
    signal_id bigint PRIMARY KEY REFERENCES signals (id) ON DELETE CASCADE,
    account bigint NOT NULL,
    ${bit("listed")},
    first_published_at bigint,
    published_at bigint,
    times_published bigint NOT NULL,
    followers bigint NOT NULL,
    search ${TEXT} NOT NULL
  )`,
  "CREATE INDEX signals_by_followers ON signal_records (followers DESC, signal_id DESC) WHERE listed = 1",
  "CREATE INDEX signals_by_publication ON signal_records (published_at DESC, signal_id DESC) WHERE listed = 1",
  "CREATE INDEX signals_by_age ON signal_records (first_published_at, signal_id) WHERE listed = 1",
  // `reported` is the last of the original's changes that its owner knows, `reports` how many since the last sync.
  `CREATE TABLE copies (
    strategy_id bigint PRIMARY KEY REFERENCES strategies (id) ON DELETE CASCADE,
    account bigint NOT NULL,
    origin bigint NOT NULL,
    base ${TEXT} NOT NULL,
    kept ${TEXT} NOT NULL,
    taken_at bigint NOT NULL,
    reported bigint NOT NULL,
    reports bigint NOT NULL
  )`,
  "CREATE INDEX copies_of_origin ON copies (origin, account)",
  "CREATE INDEX copies_to_report ON copies (origin, reported, strategy_id)",
  // Originals that changed, and whose copies' owners are not all told.
  "CREATE TABLE changed_origins (origin bigint PRIMARY KEY)"
]
