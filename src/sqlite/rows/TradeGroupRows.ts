// The sums of completed trades by market, reason and month, updated in the transaction that stores the trades.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import { ExitReason, marketFields } from "../../domain/Order.ts"
import type { Step } from "../../services/Portfolio.ts"
import * as Rows from "../../sql/rows/Rows.ts"
import * as TradeGroups from "../../trading/equity/TradeGroups.ts"

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
const encode = Schema.encodeSync(Schema.parseJson(Schema.Array(OwnGroup)))

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

/** Adds the trades of steps to their groups, within the caller's transaction. */
export const add = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const sums = new Map<string, OwnGroup>()
  for (const { bot, trades } of steps) for (const trade of trades) sum(sums, bot.strategy, trade)
  if (sums.size === 0) return
  const sql = yield* SqlClient.SqlClient
  const names = JSON.stringify(
    Array.from(sums.values(), ({ by, name, period, strategy }) => [strategy, period, by, name])
  )
  const stored = yield* groups.all(sql`SELECT ${sql.literal(COLUMNS)} FROM trade_groups
    WHERE (strategy_id, period, grouping, name) IN
      (SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${names}))`)
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
    (chunk) => sql`INSERT OR REPLACE INTO trade_groups
      (strategy_id, period, grouping, name, trades, wins, losses, gained, lost, fees)
      SELECT value ->> '$.strategy', value ->> '$.period', value ->> '$.by', value ->> '$.name', value ->> '$.trades',
        value ->> '$.wins', value ->> '$.losses', value ->> '$.gained', value ->> '$.lost', value ->> '$.fees'
      FROM json_each(${encode(chunk)}) WHERE value ->> '$.strategy' IN (SELECT id FROM strategies)`,
    { discard: true }
  )

/** The most groups of one statement. */
const MOST = 1000

const chunksOf = (rows: ReadonlyArray<OwnGroup>): ReadonlyArray<ReadonlyArray<OwnGroup>> =>
  Array.from({ length: Math.ceil(rows.length / MOST) }, (_, index) =>
    rows.slice(index * MOST, (index + 1) * MOST)
  )
