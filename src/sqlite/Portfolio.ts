// The SQLite layer of what bots did and remember: one transaction for a commit's steps, ledger, results, halts and
// cursors.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Cursors, Portfolio, type Step } from "../services/Portfolio.ts"
import { orDie } from "../sql/client/SqlErrors.ts"
import * as Dialect from "../sql/Dialect.ts"
import * as RecordRows from "../sql/directory/RecordRows.ts"
import * as StoredPortfolio from "../sql/Portfolio.ts"
import * as CommitRows from "../sql/rows/CommitRows.ts"
import { HaltRows } from "../sql/rows/HaltRows.ts"
import * as KeyRows from "../sql/rows/KeyRows.ts"
import * as LedgerChain from "../sql/rows/LedgerChain.ts"
import * as Rows from "../sql/rows/PortfolioRows.ts"
import * as ResultRows from "../sql/rows/ResultRows.ts"
import * as TimelineRows from "../sql/rows/TimelineRows.ts"
import * as TradeGroupRows from "../sql/rows/TradeGroupRows.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const halts = yield* HaltRows

  const commit = Effect.fn("Portfolio.commit")(
    function* (steps: ReadonlyArray<Step>, cursors?: Cursors) {
      const rows = CommitRows.of(steps)
      const ledger = yield* LedgerChain.extend(rows.postings)
      yield* Effect.all([
        ...statementsOf(sql, rows),
        ...Rows.insertLedger(
          sql,
          ledger.map((it) => [it.id, it.partition, it.place, it.strategy, it.posting, it.hash])
        ),
        ...Rows.insertCursors(sql, [...(cursors ?? [])])
      ])
      yield* ResultRows.addNets(steps)
      yield* ResultRows.addCounts(steps)
      yield* RecordRows.add(steps)
      yield* TradeGroupRows.add(steps)
      yield* Effect.forEach(CommitRows.haltsOf(steps), halts.add, { discard: true })
      for (const { account, at, response } of steps)
        if (response !== undefined) yield* KeyRows.insert(sql, account, response, at)
    },
    sql.withTransaction,
    orDie,
    Effect.provideService(SqlClient.SqlClient, sql)
  )
  return yield* StoredPortfolio.make(commit)
})

/** The statements of a commit's rows, in sequence. */
const statementsOf = (sql: SqlClient.SqlClient, rows: CommitRows.CommitRows) => {
  const judged = rows.outcomes.map(([alert, strategy]) => [Number(alert), Number(strategy)])
  return [
    ...Rows.insertBots(sql, rows.bots),
    ...Rows.insertOrders(sql, rows.orders),
    ...rows.statuses.map(([order, status]) => sql`UPDATE orders SET status = ${status} WHERE id = ${order}`),
    ...Rows.insertFills(sql, rows.fills),
    ...Rows.insertTrades(sql, rows.trades),
    ...TimelineRows.insert(sql, rows.notes),
    ...Rows.insertWaiting(sql, rows.waits),
    ...Rows.insertOutcomes(sql, rows.outcomes),
    ...(judged.length === 0
      ? []
      : [
          sql`DELETE FROM waiting WHERE (alert_id, strategy_id) IN
            (SELECT made.value ->> 0, made.value ->> 1 FROM ${Dialect.jsonRows(sql, judged)})`
        ])
  ]
}

export const layer = Layer.effect(Portfolio, make).pipe(Layer.provide(HaltRows.layer))
