// Migration 15: the owner of each trade, an index that finds an account's trades by all that they are searched for, and
// the numbers behind an outcome's reason.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** A typed column of a trade's JSON: only a typed one is read from an index alone. */
const column = (name: string, type: string, value: string) =>
  `ALTER TABLE trades ADD COLUMN ${name} ${type}
    GENERATED ALWAYS AS (CASE WHEN json_valid(trade) THEN CAST(${value} AS ${type}) END) VIRTUAL`

/**
 * A deleted strategy's owner is still in its timeline, where that is kept; otherwise the trade belongs to account 0,
 * which nobody has. The index holds every column that a search filters or sorts by.
 */
const tables = [
  "ALTER TABLE trades ADD COLUMN account INTEGER NOT NULL DEFAULT 0",
  `UPDATE trades SET account = owners.account FROM (
    SELECT made.strategy_id, coalesce(strategies.account, (SELECT account FROM timeline
      WHERE timeline.strategy_id = made.strategy_id AND account > 0 LIMIT 1), 0) AS account
    FROM (SELECT DISTINCT strategy_id FROM trades) AS made
    LEFT JOIN strategies ON strategies.id = made.strategy_id
  ) AS owners WHERE owners.strategy_id = trades.strategy_id`,
  column("side", "TEXT", "json_extract(trade, '$.side')"),
  column("exit_reason", "TEXT", "json_extract(trade, '$.exitReason')"),
  column("live", "INTEGER", "coalesce(json_extract(trade, '$.live'), 0)"),
  `CREATE INDEX trades_of_account ON trades
    (account, id, closed_at, opened_at, strategy_id, pair, side, exit_reason, live, pnl, profit_percent)`,
  // JSON; null where no number decided, as in all older rows.
  "ALTER TABLE outcomes ADD COLUMN facts TEXT CHECK (json_valid(facts))"
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
)
