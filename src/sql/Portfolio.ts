// The stored layer of what bots did and remember, over a database's own way to commit.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AlertId } from "../domain/Alert.ts"
import { PARTITIONS, type Partition } from "../domain/Partition.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import { Portfolio } from "../services/Portfolio.ts"
import { byAlert } from "../services/records/JudgedAlerts.ts"
import * as Dialect from "./Dialect.ts"
import * as Rows from "./rows/PortfolioRows.ts"

type Reads = Omit<typeof Portfolio.Service, "commit">

/** Makes the portfolio over its commits. */
export const make = (
  commit: (typeof Portfolio.Service)["commit"]
): Effect.Effect<typeof Portfolio.Service, never, SqlClient.SqlClient> =>
  Effect.map(SqlClient.SqlClient, (sql) =>
    Portfolio.of({ commit, ...startOf(sql), ...dayOf(sql), ...booksOf(sql) })
  )

/** What the engine reads at its start. */
const startOf = (
  sql: SqlClient.SqlClient
): Pick<Reads, "begin" | "cursors" | "judged" | "bots" | "waiting" | "unsettled"> => ({
  begin: beginning(sql),
  cursors: Effect.map(
    Rows.cursors.all(sql`SELECT id, cursor FROM partitions ORDER BY id`),
    (rows) => new Map(rows.map(({ cursor, id }) => [id, cursor]))
  ),
  judged: Effect.fn("Portfolio.judged")((alerts: ReadonlyArray<AlertId>) => {
    const isAmong = Dialect.among(sql, "alert_id", alerts)
    // Up to its cursor a partition is asked for nothing: one that lags does not have the others' outcomes read.
    return Effect.map(
      Rows.judged.all(sql`SELECT alert_id AS "alertId", strategy_id AS "strategyId" FROM outcomes
        WHERE ${isAmong}
        AND alert_id > (SELECT cursor FROM partitions WHERE id = account % ${PARTITIONS})
        UNION ALL SELECT alert_id, strategy_id FROM waiting WHERE ${isAmong}`),
      byAlert
    )
  }),
  bots: Rows.bots.all(sql`SELECT ${sql.literal(Rows.BOT)} FROM bots
    JOIN strategies ON strategies.id = bots.strategy_id ORDER BY bots.strategy_id`),
  waiting: Rows.waiting.all(sql`SELECT ${sql.literal(Rows.WAITING)} FROM waiting
    ORDER BY alert_id, strategy_id`),
  unsettled: Rows.orders.all(sql`SELECT ${sql.literal(Rows.ORDER)} FROM orders
    WHERE status IN ('intended', 'accepted', 'unknown', 'partly_filled') ORDER BY sequence`)
})

/** What the strategies of some partitions left behind. Those of all are read without looking for whose each row is. */
const beginning = (sql: SqlClient.SqlClient): Reads["begin"] =>
  Effect.fn("Portfolio.begin")(function* (some: ReadonlySet<Partition>) {
    const isOurs = sql`AND ${Dialect.within(sql, "strategies.account", some)}`
    const cursors = yield* Rows.cursors.all(sql`SELECT id, cursor FROM partitions
      WHERE id IN ${Dialect.ids(sql, [...some])} ORDER BY id`)
    const bots = yield* Rows.bots.all(sql`SELECT ${sql.literal(Rows.BOT)} FROM bots
      JOIN strategies ON strategies.id = bots.strategy_id ${isOurs} ORDER BY bots.strategy_id`)
    const waiting = yield* Rows.waiting.all(sql`SELECT ${sql.literal(Rows.WAITING)} FROM waiting
      JOIN strategies ON strategies.id = waiting.strategy_id ${isOurs} ORDER BY alert_id, strategy_id`)
    const unsettled = yield* Rows.orders.all(sql`SELECT ${sql.literal(Rows.ORDER)} FROM orders
      JOIN strategies ON strategies.id = orders.strategy_id ${isOurs}
      WHERE status IN ('intended', 'accepted', 'unknown', 'partly_filled') ORDER BY sequence`)
    return { cursors: new Map(cursors.map(({ cursor, id }) => [id, cursor])), bots, waiting, unsettled }
  })

/** Counts of a day. They jump from account to account: the index begins with them. */
const dayOf = (sql: SqlClient.SqlClient): Pick<Reads, "outcomesOn"> => ({
  outcomesOn: Effect.fn("Portfolio.outcomesOn")((day: number) =>
    Effect.map(
      Rows.counts.all(sql`WITH RECURSIVE accounts (account) AS (
          SELECT min(account) FROM outcome_days
          UNION ALL SELECT (SELECT min(account) FROM outcome_days WHERE account > accounts.account)
            FROM accounts WHERE accounts.account IS NOT NULL)
        SELECT outcome_days.account, CAST(sum(count) AS bigint) AS count FROM accounts
          JOIN outcome_days ON outcome_days.account = accounts.account AND day = ${day}
        GROUP BY outcome_days.account`),
      (rows) => new Map(rows.map(({ account, count }) => [account, count]))
    )
  )
})

/** What is read of single strategies. */
const booksOf = (
  sql: SqlClient.SqlClient
): Pick<Reads, "bot" | "tallies" | "trades" | "ledger" | "fills"> => ({
  bot: Effect.fn("Portfolio.bot")((strategy: StrategyId) =>
    Effect.map(
      Rows.bots.first(sql`SELECT ${sql.literal(Rows.BOT)} FROM bots WHERE strategy_id = ${strategy}`),
      Option.getOrUndefined
    )
  ),
  tallies: Effect.fn("Portfolio.tallies")((strategies: ReadonlyArray<StrategyId>) =>
    Effect.map(
      Rows.tallies.all(sql`SELECT strategy_id AS strategy, tally FROM bots
        WHERE ${Dialect.among(sql, "strategy_id", strategies)}`),
      (rows) => new Map(rows.map(({ strategy, tally }) => [strategy, tally]))
    )
  ),
  trades: Effect.fn("Portfolio.trades")((strategy, { before, limit }) =>
    Rows.trades.all(sql`SELECT id, trade FROM trades
      WHERE strategy_id = ${strategy} AND id < ${before ?? Number.MAX_SAFE_INTEGER}
      ORDER BY id DESC LIMIT ${limit}`)
  ),
  ledger: Effect.fn("Portfolio.ledger")((strategy: StrategyId) =>
    Effect.map(
      Rows.postings.all(sql`SELECT posting FROM ledger WHERE strategy_id = ${strategy} ORDER BY id`),
      (rows) => rows.map(({ posting }) => posting)
    )
  ),
  fills: Effect.fn("Portfolio.fills")((strategy: StrategyId) =>
    Effect.map(
      Rows.fills.all(sql`SELECT fill FROM fills WHERE strategy_id = ${strategy} ORDER BY id`),
      (rows) => rows.map(({ fill }) => fill)
    )
  )
})
