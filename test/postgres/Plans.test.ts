// The adversary: a young database that grows fast. Postgres keeps the plans that it made while tables were small, and looks
// at the tables again only a minute later, if ever.
import { describe, expect } from "bun:test"
import type * as SqlClient from "@effect/sql/SqlClient"
import { Array as Arr, Context, Effect, Schedule } from "effect"
import { AlertId } from "../../src/domain/Alert.ts"
import { OrderId } from "../../src/domain/Order.ts"
import { Events } from "../../src/services/Events.ts"
import type { Journal } from "../../src/services/Journal.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import * as Steps from "../../src/testing/contracts/steps.ts"
import { draft } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import * as Commits from "../lib/postgres/Commits.ts"
import { database, isInstalled } from "../lib/postgres/Database.ts"
import { process } from "../lib/postgres/Process.ts"

const GROWN = 20_000
/** How often work is done while the tables are small, and afterwards. */
const TIMES = { small: 12, large: 3 }
/** How many alerts each time has. */
const ALERTS = 20
const NUMBERS = Arr.range(1, ALERTS)
/** More rows of a table than one time needs, and far fewer than there are. */
const MANY = 500
/** A connection tells its counts of rows once a second, with its next statement. */
const TELLING = "1200 millis"

/** What each table grows by: rows that stand before all others in its keys, where they may. */
const ROWS: Readonly<Record<string, string>> = {
  alert_keys: "SELECT 1, '! ' || n, 'body', 1, 9000000000000",
  alerts: "SELECT -n, 1, 1, 1, 'BTC', 'USDT', 'buy', NULL, NULL, 1",
  orders: "OVERRIDING SYSTEM VALUE SELECT -n, '! ' || n, 1, '{}', 'filled'",
  outcomes: "SELECT -n, 1, 1, 'opened', 1",
  waiting: "SELECT -n, 1, 1, 1",
  accounts: "OVERRIDING SYSTEM VALUE SELECT -n, '! ' || n, 1",
  tokens: "OVERRIDING SYSTEM VALUE SELECT -n, 1, 'alerts', sha256(int8send(n)), 1",
  timeline: "OVERRIDING SYSTEM VALUE SELECT -n, 1, 1, 'held', NULL, NULL, 'text', '{}', 1",
  trade_groups: "SELECT -n, 1, 'market', 'x', 1, 1, 0, '1', '0', '0'",
  result_days: "SELECT -n, 'USDT', 0, 1, '1'"
}
const TABLES = Object.keys(ROWS)

/** Without a look at references: nobody reads these rows. A change of the tables themselves would have plans made anew. */
const grow = (sql: SqlClient.SqlClient) =>
  sql.withTransaction(
    Effect.zipRight(
      sql`SET LOCAL session_replication_role = replica`,
      Effect.forEach(TABLES, (table) =>
        sql.unsafe(`INSERT INTO ${table} ${ROWS[table]} FROM generate_series(1, ${GROWN}) AS n`)
      )
    )
  )

/** How many rows of each table were read so far. */
const readRows = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql.unsafe<{ readonly name: string; readonly rows: number }>(
      `SELECT relname AS name, (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_user_tables
        WHERE relname IN ('${TABLES.join("', '")}')`
    ),
    (found) => new Map(found.map(({ name, rows }) => [name, rows]))
  )

/** Makes work that stores and reads a few rows, new ones each time. */
const working = Effect.fnUntraced(function* (
  { context, journal }: Effect.Effect.Success<ReturnType<typeof process>>,
  other: typeof Journal.Service
) {
  const alice = yield* Effect.provide(sender("alice"), context)
  const [mine] = yield* Effect.provide(Commits.strategies, context)
  if (mine === undefined) throw new Error("a strategy was expected")
  const [portfolio, events] = [Context.get(context, Portfolio), Context.get(context, Events)]
  yield* portfolio.cursors
  let time = 0
  return Effect.gen(function* () {
    time++
    const [from, first, second] = [time, 2 * time, 2 * time + 1]
    const send = ({ append }: typeof Journal.Service) =>
      Effect.forEach(
        NUMBERS,
        (count) => append(draft(alice, { same: { key: `${from}-${count}`, spanMs: 86_400_000 } })),
        { concurrency: "unbounded" }
      )
    const ids = (yield* send(journal)).map(({ id }) => AlertId.make(id))
    // Each comes again, to another process as well, which has to read its key.
    yield* Effect.zipRight(send(journal), send(other))
    const head = yield* events.head
    const orders = NUMBERS.map((count) => Steps.order(`order ${from} ${count}`))
    const waits = ids.map((id) => Steps.waiting(mine.id, id, mine.account))
    yield* portfolio.commit([Steps.step(mine, first, { orders, waits, notes: [Steps.note("held")] })])
    const statuses = orders.map(({ id }) => ({ order: OrderId.make(id), status: "filled" as const }))
    const outcomes = ids.map((id) => Steps.outcome(mine, id))
    const trades = [Steps.trade(from)]
    yield* portfolio.commit([Steps.step(mine, second, { statuses, outcomes, trades })])
    expect((yield* portfolio.judged(ids)).size).toBe(ALERTS)
    expect(yield* journal.among(ids)).toHaveLength(ALERTS)
    expect((yield* events.after(mine.account, head, 10)).events.length).toBeGreaterThan(0)
  })
})

describe.skipIf(!isInstalled)("plans on Postgres", () => {
  it.live(
    "read no whole table, however fast it has grown since they were made",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const mine = yield* process(url)
        const { sql } = mine
        for (const table of TABLES) yield* sql.unsafe(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`)
        const work = yield* working(mine, (yield* process(url)).journal)
        // Postgres looks at the tables while they are empty, and once more while they are small.
        yield* sql`ANALYZE`
        yield* Effect.repeatN(work, 1)
        yield* sql`VACUUM ANALYZE`
        yield* Effect.repeatN(work, TIMES.small - 1)
        yield* grow(sql)
        const told = Effect.repeat(Effect.delay(work, TELLING), Schedule.recurs(TIMES.large - 1))
        yield* Effect.zipRight(work, told)
        const before = yield* readRows(sql)
        yield* told
        const after = yield* readRows(sql)
        for (const table of TABLES) {
          const rows = (after.get(table) ?? Number.NaN) - (before.get(table) ?? Number.NaN)
          expect({ table, isFew: rows < TIMES.large * MANY, rows }).toMatchObject({ isFew: true })
        }
      }),
    60_000
  )
})
