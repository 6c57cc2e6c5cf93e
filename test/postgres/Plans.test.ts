// The adversary: a young database that grows fast. Postgres keeps the plans that it made while tables were small, and looks
// at the tables again only a minute later.
import { describe, expect } from "bun:test"
import { Context, Effect, Schedule } from "effect"
import { AlertId } from "../../src/domain/Alert.ts"
import { OrderId } from "../../src/domain/Order.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import * as Steps from "../../src/testing/contracts/steps.ts"
import { draft } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import * as Commits from "../lib/postgres/Commits.ts"
import { database, isInstalled } from "../lib/postgres/Database.ts"
import { process } from "../lib/postgres/Process.ts"

const GROWN = 20_000
const TABLES = ["alerts", "alert_keys", "orders", "outcomes"]
/** How often work is done while the tables are small, and afterwards. */
const TIMES = { small: 12, large: 3 }
/** How many alerts each time has. */
const ALERTS = 20
/** More rows of a table than one time needs, and far fewer than there are. */
const MANY = 500
/** A connection tells its counts of rows once a second, with its next statement. */
const TELLING = "1200 millis"

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const grow = [
  "INSERT INTO alert_keys SELECT 1, 'grown ' || n, 'body', 1, 9000000000000 FROM generate_series(1, $1) AS n",
  `INSERT INTO alerts (id, account, token, signal_id, coin, quote, type, received_at)
    SELECT 1000000 + n, 1, 1, 1, 'BTC', 'USDT', 'buy', 1 FROM generate_series(1, $1) AS n`,
  `INSERT INTO orders (id, strategy_id, intent, status)
    SELECT 'grown ' || n, 1, '{}', 'filled' FROM generate_series(1, $1) AS n`,
  `INSERT INTO outcomes (alert_id, strategy_id, account, reason, at)
    SELECT 1000000 + n, 1, 1, 'opened', 1 FROM generate_series(1, $1) AS n`
]

describe.skipIf(!isInstalled)("plans on Postgres", () => {
  it.live(
    "read no whole table, however fast it has grown since they were made",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const { context, journal, sql } = yield* process(url)
        const other = yield* process(url)
        for (const table of TABLES) yield* sql.unsafe(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`)
        const alice = yield* Effect.provide(sender("alice"), context)
        const [mine] = yield* Effect.provide(Commits.strategies, context)
        if (mine === undefined) throw new Error("a strategy was expected")
        const portfolio = Context.get(context, Portfolio)
        yield* portfolio.cursors
        let time = 0
        const work = Effect.gen(function* () {
          time++
          const from = time
          const send = ({ append }: typeof journal) =>
            Effect.forEach(
              upTo(ALERTS),
              (count) => append(draft(alice, { same: { key: `${from}-${count}`, spanMs: 86_400_000 } })),
              { concurrency: "unbounded" }
            )
          const ids = (yield* send(journal)).map(({ id }) => AlertId.make(id))
          // Each comes again, to another process as well, which has to read its key.
          yield* Effect.zipRight(send(journal), send(other.journal))
          const orders = upTo(ALERTS).map((count) => Steps.order(`order ${from} ${count}`))
          const outcomes = ids.map((id) => Steps.outcome(mine, id))
          yield* portfolio.commit([Steps.step(mine, 2 * from, { orders, outcomes })])
          const statuses = orders.map(({ id }) => ({ order: OrderId.make(id), status: "filled" as const }))
          yield* portfolio.commit([Steps.step(mine, 2 * from + 1, { statuses })])
          expect((yield* portfolio.judged(ids)).size).toBe(ALERTS)
          expect(yield* journal.among(ids)).toHaveLength(ALERTS)
        })
        const readRows = Effect.map(
          sql.unsafe<{ readonly name: string; readonly rows: number }>(
            `SELECT relname AS name, (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_user_tables
              WHERE relname IN ('${TABLES.join("', '")}')`
          ),
          (found) => new Map(found.map(({ name, rows }) => [name, rows]))
        )
        yield* Effect.repeatN(work, TIMES.small - 1)
        for (const statement of grow) yield* sql.unsafe(statement.replaceAll("$1", String(GROWN)))
        const told = Effect.repeat(Effect.delay(work, TELLING), Schedule.recurs(TIMES.large - 1))
        yield* Effect.zipRight(work, told)
        const before = yield* readRows
        yield* told
        const after = yield* readRows
        for (const table of TABLES) {
          const rows = (after.get(table) ?? Number.NaN) - (before.get(table) ?? Number.NaN)
          expect({ table, isFew: rows < TIMES.large * MANY, rows }).toMatchObject({ isFew: true })
        }
      }),
    60_000
  )
})
