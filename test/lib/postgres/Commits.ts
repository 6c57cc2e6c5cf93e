// Commits at random, with every kind of row, and all that they leave in a database.
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, FastCheck } from "effect"
import { AlertId } from "../../../src/domain/Alert.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import { OrderStatus } from "../../../src/domain/Order.ts"
import { Partition, partitionOf } from "../../../src/domain/Partition.ts"
import type { Strategy } from "../../../src/domain/Strategy.ts"
import type { Cursors, Portfolio, Step } from "../../../src/services/Portfolio.ts"
import { StorageUnavailable } from "../../../src/services/records/StorageUnavailable.ts"
import { StrategyStore } from "../../../src/services/StrategyStore.ts"
import { sender } from "../../../src/testing/contracts/people.ts"
import * as Steps from "../../../src/testing/contracts/steps.ts"
import { settings } from "../../../src/testing/Fixtures.ts"

const DAY = 86_400_000

/** A step as it is drawn: whose it is, and how many rows of each kind. */
const drawn = FastCheck.record({
  who: FastCheck.nat(2),
  orders: FastCheck.nat(2),
  ends: FastCheck.constantFrom(...OrderStatus.literals),
  postings: FastCheck.boolean(),
  trades: FastCheck.array(FastCheck.integer({ min: -500, max: 500 }), { maxLength: 2 }),
  day: FastCheck.nat(3),
  live: FastCheck.boolean(),
  period: FastCheck.integer({ min: 1, max: 3 }),
  judged: FastCheck.nat(3),
  held: FastCheck.nat(2),
  notes: FastCheck.array(FastCheck.string({ maxLength: 8 }), { maxLength: 2 }),
  halt: FastCheck.integer({ min: 0, max: 9 }),
  unchanged: FastCheck.boolean()
})

/** Commits of a few steps each. */
export const commits = FastCheck.array(FastCheck.array(drawn, { minLength: 1, maxLength: 4 }), {
  minLength: 4,
  maxLength: 10
})
export type Drawn = typeof commits extends FastCheck.Arbitrary<infer A> ? A : never

/** Strategies of two owners, the same in every new database. */
export const strategies = Effect.gen(function* () {
  const store = yield* StrategyStore
  const alice = yield* sender("alice")
  const bob = yield* sender("bob")
  return [
    yield* store.create(alice.account, settings({ public: true, displayName: "Ann" })),
    yield* store.create(alice.account, settings()),
    yield* store.create(bob.account, settings())
  ]
})

/** The steps and the cursors of each commit: every order and outcome is a new one. */
export const commitsOf = (
  drawn: Drawn,
  owners: ReadonlyArray<Strategy>
): ReadonlyArray<readonly [ReadonlyArray<Step>, Cursors]> => {
  let count = 0
  const text = (value: string) => value.replaceAll("\0", "")
  return drawn.map((steps, commit) => {
    const made = steps.flatMap((it) => {
      const owner = owners[it.who]
      if (owner === undefined) return []
      count++
      const orders = Array.from({ length: it.orders }, (_, at) => Steps.order(`${count}-${at}`))
      const alert = (at: number) => count * 10 + at
      const step = Steps.step(owner, count, {
        orders,
        statuses: orders.map(({ id }) => ({ order: id, status: it.ends })),
        fills: orders.map(({ id }) => Steps.fill(id, count)),
        postings: it.postings ? Steps.postings(`${count}`) : [],
        trades: it.trades.map((pnl, at) => ({
          ...Steps.trade(it.day * DAY + count * 10 + at),
          pnl: Decimal.fromNumber(pnl / 100),
          period: it.period,
          ...(it.live ? { live: true as const } : {})
        })),
        outcomes: Array.from({ length: it.judged }, (_, at) => ({
          ...Steps.outcome(owner, alert(at)),
          at: it.day * DAY
        })),
        // The first is held and judged in one commit.
        waits: Array.from({ length: it.held }, (_, at) =>
          Steps.waiting(owner.id, alert(at + it.judged - (it.judged > 0 ? 1 : 0)), owner.account)
        ),
        notes: it.notes.map((note) => Steps.note(text(note), count, alert(0))),
        ...(it.halt === 0 ? { halt: "it lost 100" } : {}),
        ...(it.unchanged ? { unchanged: true as const } : {})
      })
      return [step]
    })
    return [
      made,
      new Map(
        [...made.map(({ account }) => partitionOf(account)), Partition.make(9)].map((id) => [id, commit])
      )
    ]
  })
}

/** A commit as the engine tries it: again and again while the database is away. */
export const patiently = (
  portfolio: typeof Portfolio.Service,
  [steps, cursors]: readonly [ReadonlyArray<Step>, Cursors]
): Effect.Effect<void> =>
  Effect.catchAllDefect(portfolio.commit(steps, cursors), (defect) =>
    defect instanceof StorageUnavailable
      ? Effect.zipRight(
          Effect.promise(() => Bun.sleep(20)),
          patiently(portfolio, [steps, cursors])
        )
      : Effect.die(defect)
  )

/** All that commits write, without the numbers that databases count by themselves. */
const TABLES = [
  ["bots", "strategy_id, step, state, tally", "strategy_id"],
  ["orders", "id, strategy_id, intent, status", "sequence"],
  ["fills", "strategy_id, fill, market, at", "id"],
  ["trades", "account, strategy_id, trade, closed_at, pair, pnl, period, side, exit_reason, live", "id"],
  ["ledger", "partition, place, strategy_id, posting, hash", "partition, place"],
  ["partitions", "id, cursor", "id"],
  ["outcomes", "alert_id, strategy_id, account, reason, at, facts", "alert_id, strategy_id"],
  ["outcome_days", "account, day, reason, count", "account, day, reason"],
  ["waiting", "alert_id, strategy_id, owner, since", "alert_id, strategy_id"],
  ["result_days", "account, currency, live, day, net", "account, currency, live, day"],
  [
    "trade_groups",
    "strategy_id, period, grouping, name, trades, wins, losses, gained, lost, fees",
    "strategy_id, period, grouping, name"
  ],
  ["strategy_records", "strategy_id, listed, changes, mode, record, score", "strategy_id"],
  ["record_periods", "strategy_id, period, mode, currency, tally, until", "strategy_id, period"],
  ["halts", "account, at, cause, text", "account"],
  ["timeline", "account, strategy_id, at, rule, alert_id, reason, text, facts", "id"]
] as const

/** The rows of every table that commits write. */
export const books = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.forEach(TABLES, ([table, columns, order]) =>
    Effect.map(sql.unsafe(`SELECT ${columns} FROM ${table} ORDER BY ${order}`).values, (found) => [
      table,
      found.map((row) => row.map(plain))
    ])
  )
  return Object.fromEntries(rows)
})

const plain = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value)

/** Ids of alerts from 1. */
export const alerts = (count: number) => Array.from({ length: count }, (_, index) => AlertId.make(index + 1))
