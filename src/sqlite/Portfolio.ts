import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Halt } from "../domain/Halt.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import { Portfolio, type Step } from "../services/Portfolio.ts"
import { orDie } from "./Failure.ts"
import { HaltRows } from "./HaltRows.ts"
import * as LedgerChain from "./LedgerChain.ts"
import * as Rows from "./PortfolioRows.ts"
import * as ResultRows from "./ResultRows.ts"
import * as TimelineRows from "./TimelineRows.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const halts = yield* HaltRows
  const botColumns = sql.literal(Rows.BOT)

  const commit = Effect.fn("Portfolio.commit")(
    function* (steps: ReadonlyArray<Step>, cursor?: number) {
      const before = yield* LedgerChain.last
      yield* Effect.all([
        ...rowsOf(sql, steps, before),
        ...(cursor === undefined
          ? []
          : [sql`INSERT OR REPLACE INTO engine (id, cursor) VALUES (1, ${cursor})`])
      ])
      yield* ResultRows.add(steps)
      yield* Effect.forEach(haltsOf(steps), halts.add, { discard: true })
    },
    sql.withTransaction,
    orDie,
    Effect.provideService(SqlClient.SqlClient, sql)
  )

  return Portfolio.of({
    commit,
    cursor: Effect.map(Rows.cursors.first(sql`SELECT cursor FROM engine`), (row) =>
      Option.match(row, { onNone: () => 0, onSome: ({ cursor }) => cursor })
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

/** All statements of a commit, in their order. Of a bot that took several steps only the last state is kept. */
const rowsOf = (
  sql: SqlClient.SqlClient,
  steps: ReadonlyArray<Step>,
  before: Effect.Effect.Success<typeof LedgerChain.last>
) => {
  const each = <A, B>(of: (step: Step) => ReadonlyArray<A>, row: (item: A, strategy: StrategyId) => B) =>
    steps.flatMap((step) => of(step).map((item) => row(item, step.bot.strategy)))
  const bots = new Map(steps.map(({ bot }) => [bot.strategy, bot]))
  const postings = each(
    (step) => step.postings,
    (it, strategy) => ({ strategy, posting: Rows.postingText(it) })
  )
  const outcomes = steps.flatMap((step) => step.outcomes)

  return [
    ...Rows.insertBots(
      sql,
      [...bots.values()].map((it) => [
        it.strategy,
        it.step,
        Rows.stateText(it.state),
        Rows.tallyText(it.tally)
      ])
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
    ...Rows.insertLedger(
      sql,
      LedgerChain.extend(before, postings).map((it) => [it.id, it.strategy, it.posting, it.hash])
    ),
    ...Rows.insertTrades(
      sql,
      each(
        (step) => step.trades,
        (it, strategy) => [strategy, Rows.tradeText(it)]
      )
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
      outcomes.map((it) => [it.alertId, it.strategyId, it.account, it.reason, it.at])
    ),
    ...outcomes.map(
      (it) => sql`DELETE FROM waiting WHERE alert_id = ${it.alertId} AND strategy_id = ${it.strategyId}`
    )
  ]
}

/** What halts the owner's strategies from a step on. */
const haltsOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Halt> =>
  steps.flatMap(({ account, at, halt }) =>
    halt === undefined ? [] : [{ account: Option.some(account), at, cause: "daily_loss", text: halt }]
  )

export const layer = Layer.effect(Portfolio, make).pipe(Layer.provide(HaltRows.layer))
