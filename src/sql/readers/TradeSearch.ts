// Finds an account's trades by a filter, over an index that holds all that is searched for: only the rows of a page are
// read from the table.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../../domain/Account.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import { Trade } from "../../domain/Trade.ts"
import { breathe } from "../../services/engine/Breath.ts"
import { merged, type TradeFilter, type TradeTotal } from "../../services/records/TradeSearch.ts"
import type { Stretch } from "../../services/records/Trades.ts"
import * as Dialect from "../Dialect.ts"
import * as Rows from "../rows/Rows.ts"

const found = Rows.reader(
  Schema.Struct({ id: Schema.Int, strategy: StrategyId, trade: Schema.parseJson(Trade) })
)
const ids = Rows.reader(Schema.Struct({ id: Schema.Int }))
const counts = Rows.reader(Schema.Struct({ count: Schema.Int }))
const totals = Rows.reader(
  Schema.Struct({
    currency: Schema.String,
    live: Rows.Bit,
    trades: Schema.Int,
    wins: Schema.Int,
    pnl: Schema.Number
  })
)

/** The index that holds all that is searched for. */
const byAccount = (sql: SqlClient.SqlClient) => Dialect.byIndex(sql, "trades_of_account")

/** Trades summed up by one statement; others get their turn between two. */
const ROWS = 20_000

/** Makes the three reads. `by` returns the sort column of an order. */
export const make = (by: (stretch: Stretch) => string) =>
  Effect.map(SqlClient.SqlClient, (sql) => ({
    search: searching(sql, by),
    searchAfter: Effect.fn("Trades.searchAfter")(
      (
        account: AccountId,
        filter: TradeFilter,
        { id, limit }: { readonly id: number; readonly limit: number }
      ) =>
        found.all(sql`SELECT trades.id, strategy_id AS strategy, trade FROM (
          SELECT id FROM trades ${byAccount(sql)}
          WHERE ${conditions(sql, account, filter)} AND id > ${id} ORDER BY id LIMIT ${limit}
        ) AS page JOIN trades ON trades.id = page.id ORDER BY page.id`)
    ),
    totals: summing(sql)
  }))

const searching = (sql: SqlClient.SqlClient, by: (stretch: Stretch) => string) =>
  Effect.fn("Trades.search")(function* (account: AccountId, filter: TradeFilter, stretch: Stretch) {
    const where = conditions(sql, account, filter)
    const direction = sql.literal(stretch.direction === "asc" ? "ASC" : "DESC")
    const rows = yield* found.all(sql`SELECT trades.id, strategy_id AS strategy, trade FROM (
        SELECT id, ${sql.literal(by(stretch))} AS sorted FROM trades ${byAccount(sql)} WHERE ${where}
        ORDER BY sorted ${direction}, id ${direction} LIMIT ${stretch.limit} OFFSET ${stretch.offset}
      ) AS page JOIN trades ON trades.id = page.id
      ORDER BY page.sorted ${direction}, page.id ${direction}`)
    const { count } = yield* counts.one(
      sql`SELECT count(*) AS count FROM trades ${byAccount(sql)} WHERE ${where}`
    )
    return { rows, total: count }
  })

/** A damaged row has no result, and is in no sum. */
const summing = (sql: SqlClient.SqlClient) =>
  Effect.fn("Trades.totals")(function* (account: AccountId, filter: TradeFilter) {
    const where = conditions(sql, account, filter)
    const all: Array<TradeTotal> = []
    for (let after = 0; ; ) {
      const last = Option.getOrUndefined(
        yield* ids.first(sql`SELECT id FROM trades ${byAccount(sql)}
          WHERE account = ${account} AND id > ${after} ORDER BY id LIMIT 1 OFFSET ${ROWS - 1}`)
      )
      const until = last?.id ?? Number.MAX_SAFE_INTEGER
      const some =
        yield* totals.all(sql`SELECT substr(pair, ${Dialect.placeOf(sql, "pair", "/")} + 1) AS currency, live,
        count(*) AS trades, sum(CASE WHEN pnl > 0 THEN 1 ELSE 0 END) AS wins, sum(pnl) AS pnl
        FROM trades ${byAccount(sql)}
        WHERE ${where} AND id > ${after} AND id <= ${until} AND pnl IS NOT NULL GROUP BY currency, live`)
      all.push(...some)
      if (last === undefined) return merged(all)
      after = last.id
      yield* breathe
    }
  })

const conditions = (sql: SqlClient.SqlClient, account: AccountId, filter: TradeFilter) => {
  const { exitReason, from, live, pair, result, side, strategy, until } = filter
  return sql.and([
    sql`account = ${account}`,
    ...(strategy === undefined ? [] : [sql`strategy_id = ${strategy}`]),
    ...(pair === undefined ? [] : [Dialect.holds(sql, "pair", pair)]),
    ...(side === undefined ? [] : [sql`side = ${side}`]),
    ...(exitReason === undefined ? [] : [sql`exit_reason = ${exitReason}`]),
    ...(result === undefined ? [] : [result === "win" ? sql`pnl > 0` : sql`pnl < 0`]),
    ...(from === undefined ? [] : [sql`closed_at >= ${from}`]),
    ...(until === undefined ? [] : [sql`closed_at < ${until}`]),
    ...(live === undefined ? [] : [sql`live = ${Rows.bit(live)}`])
  ])
}
