// Completed trades with the columns that they are searched by, sums, and equity over time.
import { bit, ID, TEXT } from "./types.ts"

const column = (name: string, type: string, field: string) =>
  `${name} ${type} GENERATED ALWAYS AS (CAST(trade::json ->> '${field}' AS ${type})) STORED`

/** The tables of results. */
export const results = [
  `CREATE TABLE trades (
    id ${ID},
    strategy_id bigint NOT NULL,
    trade ${TEXT} NOT NULL,
    account bigint NOT NULL DEFAULT 0,
    ${column("closed_at", "bigint", "closedAt")},
    ${column("opened_at", "bigint", "openedAt")},
    pair ${TEXT} GENERATED ALWAYS AS (trade::json ->> 'pair') STORED,
    ${column("pnl", "float8", "pnl")},
    ${column("profit_percent", "float8", "profitPercent")},
    period bigint GENERATED ALWAYS AS (coalesce(CAST(trade::json ->> 'period' AS bigint), 1)) STORED,
    side ${TEXT} GENERATED ALWAYS AS (trade::json ->> 'side') STORED,
    exit_reason ${TEXT} GENERATED ALWAYS AS (trade::json ->> 'exitReason') STORED,
    live bigint GENERATED ALWAYS AS (CASE trade::json ->> 'live' WHEN 'true' THEN 1 ELSE 0 END) STORED
  )`,
  "CREATE INDEX trades_of_strategy ON trades (strategy_id, id, closed_at, pnl)",
  "CREATE INDEX trades_by_opening ON trades (strategy_id, opened_at, id)",
  "CREATE INDEX trades_by_pair ON trades (strategy_id, pair, id)",
  "CREATE INDEX trades_by_pnl ON trades (strategy_id, pnl, id)",
  "CREATE INDEX trades_by_profit ON trades (strategy_id, profit_percent, id)",
  "CREATE INDEX trades_by_hold ON trades (strategy_id, (closed_at - opened_at), id)",
  "CREATE INDEX trades_of_later_periods ON trades (strategy_id, period, id) WHERE period > 1",
  `CREATE INDEX trades_of_account ON trades
    (account, id, closed_at, opened_at, strategy_id, pair, side, exit_reason, live, pnl, profit_percent)`,
  `CREATE TABLE trade_groups (
    strategy_id bigint NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    period bigint NOT NULL,
    grouping ${TEXT} NOT NULL,
    name ${TEXT} NOT NULL,
    trades bigint NOT NULL,
    wins bigint NOT NULL,
    losses bigint NOT NULL,
    gained ${TEXT} NOT NULL,
    lost ${TEXT} NOT NULL,
    fees ${TEXT} NOT NULL,
    PRIMARY KEY (strategy_id, period, grouping, name)
  )`,
  `CREATE TABLE result_days (
    account bigint NOT NULL,
    currency ${TEXT} NOT NULL,
    ${bit("live")},
    day bigint NOT NULL,
    net ${TEXT} NOT NULL,
    PRIMARY KEY (account, currency, live, day)
  )`,
  `CREATE TABLE outcome_days (
    account bigint NOT NULL,
    day bigint NOT NULL,
    reason ${TEXT} NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (account, day, reason)
  )`,
  `CREATE TABLE equity_states (
    strategy_id bigint NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    period bigint NOT NULL,
    tracked ${TEXT} NOT NULL,
    PRIMARY KEY (strategy_id, period)
  )`,
  `CREATE TABLE equity_points (
    strategy_id bigint NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    span bigint NOT NULL CHECK (span IN (0, 1, 2)),
    since bigint NOT NULL,
    period bigint NOT NULL,
    points ${TEXT} NOT NULL,
    PRIMARY KEY (strategy_id, span, since, period)
  )`,
  "CREATE INDEX equity_points_by_age ON equity_points (span, since) WHERE span < 2"
]
