// Migration 6: generated columns and sums, so that the dashboard reads pages and days without scanning all rows.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import { lazily } from "../../domain/internal/Lazily.ts"

/**
 * A generated column from a row's JSON. The cast lets a damaged row still be written, and reported by `verify`; only a
 * typed column is read from an index alone.
 */
const read = ([table, json]: readonly [string, string], name: string, type: string, value: string) =>
  `ALTER TABLE ${table} ADD COLUMN ${name} ${type}
    GENERATED ALWAYS AS (CASE WHEN json_valid(${json}) THEN CAST(${value} AS ${type}) END) VIRTUAL`

/**
 * Trades by every sort, fills by market and time, and sums by UTC day that each commit updates. `net` is a decimal as
 * text; account 0 has rows of unknown owners.
 */
const tables = [
  read(["trades", "trade"], "closed_at", "INTEGER", "json_extract(trade, '$.closedAt')"),
  read(["trades", "trade"], "opened_at", "INTEGER", "json_extract(trade, '$.openedAt')"),
  read(["trades", "trade"], "pair", "TEXT", "json_extract(trade, '$.pair')"),
  read(["trades", "trade"], "pnl", "REAL", "json_extract(trade, '$.pnl')"),
  read(["trades", "trade"], "profit_percent", "REAL", "json_extract(trade, '$.profitPercent')"),
  "DROP INDEX trades_of_strategy",
  "CREATE INDEX trades_of_strategy ON trades (strategy_id, id, closed_at, pnl)",
  "CREATE INDEX trades_by_opening ON trades (strategy_id, opened_at, id)",
  "CREATE INDEX trades_by_pair ON trades (strategy_id, pair, id)",
  "CREATE INDEX trades_by_pnl ON trades (strategy_id, pnl, id)",
  "CREATE INDEX trades_by_profit ON trades (strategy_id, profit_percent, id)",
  "CREATE INDEX trades_by_hold ON trades (strategy_id, closed_at - opened_at, id)",
  read(
    ["fills", "fill"],
    "market",
    "TEXT",
    "json_extract(fill, '$.exchange') || ':' || json_extract(fill, '$.pair') || ':' || json_extract(fill, '$.kind')"
  ),
  read(["fills", "fill"], "at", "INTEGER", "json_extract(fill, '$.at')"),
  "CREATE INDEX fills_by_market ON fills (strategy_id, market, at, id)",
  `CREATE TABLE result_days (
    account INTEGER NOT NULL,
    currency TEXT NOT NULL,
    day INTEGER NOT NULL,
    net TEXT NOT NULL,
    PRIMARY KEY (account, currency, day)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE outcome_days (
    account INTEGER NOT NULL,
    day INTEGER NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (account, day, reason)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO outcome_days (account, day, reason, count)
    SELECT account, at / 86400000 AS day, reason, count(*) FROM outcomes
    WHERE day >= (SELECT max(at) / 86400000 - 2 FROM outcomes) GROUP BY account, day, reason`
]

/** Trades summed up at a time. */
const ROWS = 10_000

const Row = Schema.Tuple(
  Schema.Int,
  Schema.Int,
  Schema.NullOr(Schema.String),
  Schema.NullOr(Schema.Int),
  Schema.NullOr(Schema.String)
)
const decode = lazily(() => Schema.decodeUnknownSync(Schema.Array(Row)))

/** A deleted strategy's owner is still in its timeline, where that is kept. */
const trades = (sql: SqlClient.SqlClient, after: number) =>
  sql`SELECT trades.id,
  coalesce(strategies.account, (SELECT account FROM timeline
    WHERE timeline.strategy_id = trades.strategy_id AND account > 0 LIMIT 1), 0),
  pair, closed_at / 86400000, CASE WHEN pnl IS NOT NULL THEN CAST(json_extract(trade, '$.pnl') AS TEXT) END
  FROM trades LEFT JOIN strategies ON strategies.id = trades.strategy_id
  WHERE trades.id > ${after} ORDER BY trades.id LIMIT ${ROWS}`.values

/** Sums up in exact decimals, as each commit does from now on. */
const sumUp = Effect.fnUntraced(function* (sql: SqlClient.SqlClient): Effect.fn.Return<void, SqlError> {
  const sums = new Map<string, Decimal.Decimal>()
  for (let after = 0; ; ) {
    const rows = decode(yield* trades(sql, after))
    for (const [, account, pair, day, pnl] of rows) {
      // A damaged row is in no sum; `verify` reports it.
      const made = Decimal.fromText(pnl ?? "")
      if (pair === null || day === null || Option.isNone(made)) continue
      const key = JSON.stringify([account, pair.slice(pair.indexOf("/") + 1), day])
      sums.set(key, Decimal.add(sums.get(key) ?? Decimal.zero, made.value))
    }
    const last = rows.at(-1)?.[0]
    if (last === undefined) break
    after = last
  }
  const all = Array.from(sums, ([key, net]) => ({ key, net: Decimal.toText(net) }))
  yield* sql`INSERT INTO result_days (account, currency, day, net)
    SELECT value ->> '$.key' ->> '$[0]', value ->> '$.key' ->> '$[1]', value ->> '$.key' ->> '$[2]', value ->> '$.net'
    FROM json_each(${JSON.stringify(all)})`
})

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
  yield* sumUp(sql)
})
