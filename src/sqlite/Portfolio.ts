// The SQLite layer of what bots did and remember: one transaction for a commit's steps, ledger, results, halts and
// cursors.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AlertId } from "../domain/Alert.ts"
import type { Halt } from "../domain/Halt.ts"
import { PARTITIONS, partitionOf } from "../domain/Partition.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import { byAlert, type Cursors, Portfolio, type Step } from "../services/Portfolio.ts"
import { orDie } from "../sql/client/SqlErrors.ts"
import * as RecordRows from "../sql/directory/RecordRows.ts"
import { HaltRows } from "../sql/rows/HaltRows.ts"
import * as KeyRows from "../sql/rows/KeyRows.ts"
import * as LedgerChain from "../sql/rows/LedgerChain.ts"
import * as Rows from "../sql/rows/PortfolioRows.ts"
import * as TimelineRows from "../sql/rows/TimelineRows.ts"
import * as TradeGroupRows from "../sql/rows/TradeGroupRows.ts"
import * as ResultRows from "./rows/ResultRows.ts"
import { stateText } from "./rows/StateText.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const halts = yield* HaltRows
  const botColumns = sql.literal(Rows.BOT)

  const commit = Effect.fn("Portfolio.commit")(
    function* (steps: ReadonlyArray<Step>, cursors?: Cursors) {
      const ledger = yield* LedgerChain.extend(postingsOf(steps))
      yield* Effect.all([
        ...rowsOf(sql, steps),
        ...Rows.insertLedger(
          sql,
          ledger.map((it) => [it.id, it.partition, it.place, it.strategy, it.posting, it.hash])
        ),
        ...Rows.insertCursors(sql, [...(cursors ?? [])])
      ])
      yield* ResultRows.add(steps)
      yield* RecordRows.add(steps)
      yield* TradeGroupRows.add(steps)
      yield* Effect.forEach(haltsOf(steps), halts.add, { discard: true })
      for (const { account, at, response } of steps)
        if (response !== undefined) yield* KeyRows.insert(sql, account, response, at)
    },
    sql.withTransaction,
    orDie,
    Effect.provideService(SqlClient.SqlClient, sql)
  )

  return Portfolio.of({
    commit,
    cursors: Effect.map(
      Rows.cursors.all(sql`SELECT id, cursor FROM partitions ORDER BY id`),
      (rows) => new Map(rows.map(({ cursor, id }) => [id, cursor]))
    ),
    judged: Effect.fn("Portfolio.judged")((alerts: ReadonlyArray<AlertId>) => {
      const alertIds = JSON.stringify(alerts)
      // Up to its cursor a partition is asked for nothing: one that lags does not have the others' outcomes read.
      return Effect.map(
        Rows.judged.all(sql`SELECT alert_id AS alertId, strategy_id AS strategyId FROM outcomes
          WHERE alert_id IN (SELECT value FROM json_each(${alertIds}))
          AND alert_id > (SELECT cursor FROM partitions WHERE id = account % ${PARTITIONS})
          UNION ALL SELECT alert_id, strategy_id FROM waiting WHERE alert_id IN (SELECT value FROM json_each(${alertIds}))`),
        byAlert
      )
    }),
    // Jumps from account to account: the index begins with them.
    outcomesOn: Effect.fn("Portfolio.outcomesOn")((day: number) =>
      Effect.map(
        Rows.counts.all(sql`WITH RECURSIVE accounts (account) AS (
            SELECT min(account) FROM outcome_days
            UNION ALL SELECT (SELECT min(account) FROM outcome_days WHERE account > accounts.account)
              FROM accounts WHERE accounts.account IS NOT NULL)
          SELECT outcome_days.account, sum(count) AS count FROM accounts
            JOIN outcome_days ON outcome_days.account = accounts.account AND day = ${day}
          GROUP BY outcome_days.account`),
        (rows) => new Map(rows.map(({ account, count }) => [account, count]))
      )
    ),
    bots: Rows.bots.all(sql`SELECT ${botColumns} FROM bots
      JOIN strategies ON strategies.id = bots.strategy_id ORDER BY bots.strategy_id`),
    waiting: Rows.waiting.all(sql`SELECT ${sql.literal(Rows.WAITING)} FROM waiting
      ORDER BY alert_id, strategy_id`),
    unsettled: Rows.orders.all(sql`SELECT ${sql.literal(Rows.ORDER)} FROM orders
      WHERE status IN ('intended', 'accepted', 'unknown', 'partly_filled') ORDER BY sequence`),
    bot: Effect.fn("Portfolio.bot")((strategy: StrategyId) =>
      Effect.map(
        Rows.bots.first(sql`SELECT ${botColumns} FROM bots WHERE strategy_id = ${strategy}`),
        Option.getOrUndefined
      )
    ),
    tallies: Effect.fn("Portfolio.tallies")((strategies: ReadonlyArray<StrategyId>) =>
      Effect.map(
        Rows.tallies.all(sql`SELECT strategy_id AS strategy, tally FROM bots
          WHERE strategy_id IN (SELECT value FROM json_each(${JSON.stringify(strategies)}))`),
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
})

/** All statements of a commit, in sequence. Of a bot with several steps only the last state is written. */
const rowsOf = (sql: SqlClient.SqlClient, steps: ReadonlyArray<Step>) => {
  const each = <A, B>(of: (step: Step) => ReadonlyArray<A>, row: (item: A, strategy: StrategyId) => B) =>
    steps.flatMap((step) => of(step).map((item) => row(item, step.bot.strategy)))
  const changed = steps.filter(({ unchanged }) => unchanged === undefined)
  const bots = new Map(changed.map(({ bot }) => [bot.strategy, bot]))
  const outcomes = steps.flatMap((step) => step.outcomes)

  return [
    ...Rows.insertBots(
      sql,
      [...bots.values()].map((it) => [it.strategy, it.step, stateText(it.state), Rows.tallyText(it.tally)])
    ),
    ...Rows.insertOrders(
      sql,
      each(
        (step) => step.orders,
        (it, strategy) => [it.id, strategy, Rows.orderText(it), "intended"]
      )
    ),
    ...each(
      (step) => step.statuses,
      (it) => sql`UPDATE orders SET status = ${it.status} WHERE id = ${it.order}`
    ),
    ...Rows.insertFills(
      sql,
      each(
        (step) => step.fills,
        (it, strategy) => [strategy, Rows.fillText(it)]
      )
    ),
    ...Rows.insertTrades(
      sql,
      steps.flatMap((step) => step.trades.map((it) => [step.account, step.bot.strategy, Rows.tradeText(it)]))
    ),
    ...TimelineRows.insert(
      sql,
      steps.flatMap((step) => step.notes.map((it) => TimelineRows.row(step.account, step.bot.strategy, it)))
    ),
    ...Rows.insertWaiting(
      sql,
      each(
        (step) => step.waits,
        (it) => [it.alert, it.strategy, it.owner, it.since]
      )
    ),
    ...Rows.insertOutcomes(
      sql,
      outcomes.map(({ account, alertId, at, facts, reason, strategyId }) => [
        ...[alertId, strategyId, account, reason, at],
        facts === undefined ? null : JSON.stringify(facts)
      ])
    ),
    ...(outcomes.length === 0
      ? []
      : [
          sql`DELETE FROM waiting WHERE (alert_id, strategy_id) IN
      (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(outcomes.map((it) => [it.alertId, it.strategyId]))}))`
        ])
  ]
}

/** The postings of the steps, each for the chain of its account's partition. */
const postingsOf = (steps: ReadonlyArray<Step>): ReadonlyArray<LedgerChain.Entry> =>
  steps.flatMap(({ account, bot, postings }) => {
    const partition = partitionOf(account)
    return postings.map((it) => ({ partition, strategy: bot.strategy, posting: Rows.postingText(it) }))
  })

/** The halts that steps cause. */
const haltsOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Halt> =>
  steps.flatMap(({ account, at, halt }) =>
    halt === undefined ? [] : [{ account: Option.some(account), at, cause: "daily_loss", text: halt }]
  )

export const layer = Layer.effect(Portfolio, make).pipe(Layer.provide(HaltRows.layer))
