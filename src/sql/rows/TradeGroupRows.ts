// The sums of completed trades by market, reason and month, updated in the transaction that stores the trades.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import { ExitReason, marketFields } from "../../domain/Order.ts"
import type { Step } from "../../services/Portfolio.ts"
import * as TradeGroups from "../../trading/equity/TradeGroups.ts"
import * as Dialect from "../Dialect.ts"
import * as Rows from "./Rows.ts"

/** The fields of a stored trade that the sums use. */
export const Grouped = Schema.Struct({
  ...marketFields,
  exitReason: ExitReason,
  closedAt: Schema.Int,
  pnl: Decimal.Text,
  fees: Decimal.Text,
  period: Schema.optionalWith(Schema.Int, { exact: true })
})

/** A group and whose it is. */
export const OwnGroup = Schema.Struct({
  strategy: Schema.Int,
  period: Schema.Int,
  ...TradeGroups.TradeGroup.fields
})
export type OwnGroup = typeof OwnGroup.Type

/** The columns of a group, as `OwnGroup` names them. */
export const COLUMNS = `strategy_id AS strategy, period, grouping AS "by", name, trades, wins, losses, gained, lost, fees`

export const groups = Rows.reader(OwnGroup)

/** The first four values of a row of `Dialect.jsonRows`: the key of a group. */
const KEY = `CAST(made.value ->> 0 AS bigint), CAST(made.value ->> 1 AS bigint), made.value ->> 2, made.value ->> 3`

/** A group as the values of a row. */
const valuesOf = ({ by, fees, gained, losses, lost, name, period, strategy, trades, wins }: OwnGroup) => [
  ...[strategy, period, by, name, trades, wins, losses],
  ...[gained, lost, fees].map(Decimal.toText)
]

/** The key of a group in maps. */
export const keyOf = ({ period, strategy, ...group }: OwnGroup): string =>
  `${strategy} ${period} ${TradeGroups.keyOf(group)}`

/** Adds a trade to the sums of its groups. */
export const sum = (sums: Map<string, OwnGroup>, strategy: number, trade: typeof Grouped.Type): void => {
  for (const name of TradeGroups.groupsWith(trade)) {
    const group = { strategy, period: trade.period ?? 1, ...TradeGroups.empty(name) }
    const before = sums.get(keyOf(group)) ?? group
    sums.set(keyOf(group), { ...before, ...TradeGroups.add(before, trade) })
  }
}

/** Whether a column has the strategy of one of these groups. */
const isOf = (sql: SqlClient.SqlClient, column: string, groups: ReadonlyArray<OwnGroup>) =>
  Dialect.among(sql, column, [...new Set(groups.map(({ strategy }) => strategy))])

/** Adds the trades of steps to their groups, within the caller's transaction. */
export const add = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const sums = new Map<string, OwnGroup>()
  for (const { bot, trades } of steps) for (const trade of trades) sum(sums, bot.strategy, trade)
  if (sums.size === 0) return
  const sql = yield* SqlClient.SqlClient
  const names = Array.from(sums.values(), ({ by, name, period, strategy }) => [strategy, period, by, name])
  const stored = yield* groups.all(sql`SELECT ${sql.literal(COLUMNS)} FROM trade_groups
    WHERE ${isOf(sql, "strategy_id", [...sums.values()])} AND (strategy_id, period, grouping, name) IN
      (SELECT ${sql.literal(KEY)} FROM ${Dialect.jsonRows(sql, names)})`)
  for (const before of stored) {
    const made = sums.get(keyOf(before))
    if (made !== undefined) sums.set(keyOf(before), { ...before, ...TradeGroups.merged(before, made) })
  }
  yield* insert(sql, [...sums.values()])
})

/** Stores groups in place of those of the same names. Those of strategies that were deleted meanwhile are left out. */
export const insert = (sql: SqlClient.SqlClient, rows: ReadonlyArray<OwnGroup>) =>
  Effect.forEach(
    chunksOf(rows),
    (chunk) => sql`INSERT INTO trade_groups
      (strategy_id, period, grouping, name, trades, wins, losses, gained, lost, fees)
      SELECT ${sql.literal(KEY)}, CAST(made.value ->> 4 AS bigint), CAST(made.value ->> 5 AS bigint),
        CAST(made.value ->> 6 AS bigint), made.value ->> 7, made.value ->> 8, made.value ->> 9
      FROM ${Dialect.jsonRows(sql, chunk.map(valuesOf))}
      WHERE CAST(made.value ->> 0 AS bigint) IN (SELECT id FROM strategies WHERE ${isOf(sql, "id", chunk)})
      ON CONFLICT (strategy_id, period, grouping, name) DO UPDATE SET trades = excluded.trades,
        wins = excluded.wins, losses = excluded.losses, gained = excluded.gained, lost = excluded.lost,
        fees = excluded.fees`,
    { discard: true }
  )

/** The most groups of one statement. */
const MOST = 1000

const chunksOf = (rows: ReadonlyArray<OwnGroup>): ReadonlyArray<ReadonlyArray<OwnGroup>> =>
  Array.from({ length: Math.ceil(rows.length / MOST) }, (_, index) =>
    rows.slice(index * MOST, (index + 1) * MOST)
  )
