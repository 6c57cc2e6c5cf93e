// The Postgres layer of what bots did and remember. Most commits are one statement; those that change sums take a
// transaction.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Recording from "../services/directory/Recording.ts"
import { Portfolio, type Step } from "../services/Portfolio.ts"
import * as Dialect from "../sql/Dialect.ts"
import * as RecordRows from "../sql/directory/RecordRows.ts"
import * as StoredPortfolio from "../sql/Portfolio.ts"
import { haltsOf } from "../sql/rows/CommitRows.ts"
import { HaltRows } from "../sql/rows/HaltRows.ts"
import * as KeyRows from "../sql/rows/KeyRows.ts"
import * as ResultRows from "../sql/rows/ResultRows.ts"
import * as TradeGroupRows from "../sql/rows/TradeGroupRows.ts"
import * as Statements from "./CommitStatements.ts"
import * as Commits from "./Commits.ts"
import { Partitions } from "./Partitions.ts"

const make = Effect.gen(function* () {
  const partitions = yield* Partitions
  const commit = yield* Commits.make(partitions, yield* storing)
  return withClaims(partitions, yield* StoredPortfolio.make(commit))
})

/**
 * A portfolio that reads what it begins with once nobody else commits: what the engine has read stays true from then on.
 */
export const withClaims = (
  { claim }: typeof Partitions.Service,
  stored: typeof Portfolio.Service
): typeof Portfolio.Service => ({
  ...stored,
  begin: (some) => Effect.zipRight(claim(some), stored.begin(some)),
  cursors: Effect.zipRight(claim(), stored.cursors)
})

/** Whether a step changes anything but rows of its own. */
const isSummed = (step: Step): boolean =>
  step.halt !== undefined || step.response !== undefined || Recording.concerns(step)

/** Makes the statements of a commit. */
const storing = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const halts = yield* HaltRows

  /** Strategies are locked before their records, as whoever changes them does; one that is deleted meanwhile waits. */
  const inTransaction = Effect.fnUntraced(
    function* (steps: ReadonlyArray<Step>, sent: Statements.Sent) {
      const strategies = [...new Set(steps.map(({ bot }) => bot.strategy))]
      yield* Statements.fence(sql, sent)
      yield* sql`SELECT id FROM strategies WHERE ${Dialect.among(sql, "id", strategies)}
        ORDER BY id FOR KEY SHARE`
      yield* RecordRows.add(steps)
      yield* ResultRows.addNets(steps)
      yield* TradeGroupRows.add(steps)
      yield* Effect.forEach(haltsOf(steps), halts.add, { discard: true })
      for (const { account, at, response } of steps)
        if (response !== undefined) yield* KeyRows.insert(sql, account, response, at)
      yield* Statements.rows(sql, sent)
    },
    sql.withTransaction,
    Effect.provideService(SqlClient.SqlClient, sql)
  )
  const store: Commits.Store = (steps, sent) =>
    steps.some(isSummed) ? inTransaction(steps, sent) : Statements.whole(sql, sent)
  return store
})

export const layer = Layer.effect(Portfolio, make).pipe(Layer.provide(HaltRows.layer))
