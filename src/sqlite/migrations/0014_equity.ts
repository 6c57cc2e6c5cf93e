// Migration 14: equity over time, and the sums of completed trades by market, reason and month.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import * as Rows from "../../sql/rows/TradeGroupRows.ts"

/**
 * `equity_states` has the fold over a period's samples; `tracked` is JSON. `equity_points` has the points of its curve as
 * JSON: `span` is 0 for a minute, 1 for an hour, 2 for a day, and `since` is when that begins (ms). Both go with the
 * strategy, and so do the sums in `trade_groups`, whose decimals are text.
 */
const tables = [
  `CREATE TABLE equity_states (
    strategy_id INTEGER NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    period INTEGER NOT NULL,
    tracked TEXT NOT NULL,
    PRIMARY KEY (strategy_id, period)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE equity_points (
    strategy_id INTEGER NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    span INTEGER NOT NULL CHECK (span IN (0, 1, 2)),
    since INTEGER NOT NULL,
    period INTEGER NOT NULL,
    points TEXT NOT NULL,
    PRIMARY KEY (strategy_id, span, since, period)
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX equity_points_by_age ON equity_points (span, since) WHERE span < 2",
  `CREATE TABLE trade_groups (
    strategy_id INTEGER NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    period INTEGER NOT NULL,
    grouping TEXT NOT NULL,
    name TEXT NOT NULL,
    trades INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    losses INTEGER NOT NULL,
    gained TEXT NOT NULL,
    lost TEXT NOT NULL,
    fees TEXT NOT NULL,
    PRIMARY KEY (strategy_id, period, grouping, name)
  ) STRICT, WITHOUT ROWID`
]

/** Trades summed up at a time. */
const ROWS = 5000

const Row = Schema.Tuple(Schema.Int, Schema.Int, Schema.String)
const decode = lazily(() => Schema.decodeUnknownSync(Schema.Array(Row)))
const tradeOf = lazily(() => Schema.decodeUnknownEither(Schema.parseJson(Rows.Grouped)))

/** Sums up in exact decimals, as each commit does from now on. A damaged row is in no sum; `verify` reports it. */
const sumUp = Effect.fnUntraced(function* (sql: SqlClient.SqlClient): Effect.fn.Return<void, SqlError> {
  const sums = new Map<string, Rows.OwnGroup>()
  for (let after = 0; ; ) {
    const rows = decode(
      yield* sql`SELECT id, strategy_id, trade FROM trades WHERE id > ${after}
        AND strategy_id IN (SELECT id FROM strategies) ORDER BY id LIMIT ${ROWS}`.values
    )
    for (const [, strategy, text] of rows) {
      const trade = tradeOf(text)
      if (Either.isRight(trade)) Rows.sum(sums, strategy, trade.right)
    }
    const last = rows.at(-1)?.[0]
    if (last === undefined) break
    after = last
  }
  const all = JSON.stringify(
    Array.from(sums.values(), ({ fees, gained, lost, ...group }) => ({
      ...group,
      gained: Decimal.toText(gained),
      lost: Decimal.toText(lost),
      fees: Decimal.toText(fees)
    }))
  )
  yield* sql`INSERT INTO trade_groups
    (strategy_id, period, grouping, name, trades, wins, losses, gained, lost, fees)
    SELECT value ->> '$.strategy', value ->> '$.period', value ->> '$.by', value ->> '$.name', value ->> '$.trades',
      value ->> '$.wins', value ->> '$.losses', value ->> '$.gained', value ->> '$.lost', value ->> '$.fees'
    FROM json_each(${all})`
})

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
  yield* sumUp(sql)
})
