// The sums of results by day, updated in the transaction that stores the trades and outcomes.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import { quoteOf } from "../../domain/Market.ts"
import type { Step } from "../../services/Portfolio.ts"
import { dayOf } from "../../services/records/Results.ts"
import * as Dialect from "../Dialect.ts"
import * as Rows from "./Rows.ts"

const days = Rows.reader(
  Schema.Struct({
    account: Schema.Int,
    currency: Schema.String,
    live: Schema.Literal(0, 1),
    day: Schema.Int,
    net: Decimal.Text
  })
)

/** The first four values of a row of `Dialect.jsonRows`: the key of a day. */
const KEY = `CAST(made.value ->> 0 AS bigint), made.value ->> 1, CAST(made.value ->> 2 AS bigint),
  CAST(made.value ->> 3 AS bigint)`

/** Adds the trades of steps to the sums of their days, within the caller's transaction. */
export const addNets = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const made = daysOf(steps)
  if (made.size === 0) return
  const sql = yield* SqlClient.SqlClient
  const key = sql.literal(KEY)
  const stored = yield* days.all(sql`SELECT account, currency, live, day, net FROM result_days
    WHERE ${Dialect.among(sql, "account", [...new Set(Array.from(made.values(), ({ account }) => account))])}
      AND (account, currency, live, day) IN
      (SELECT ${key} FROM ${Dialect.jsonRows(sql, Array.from(made.values(), valuesOf))})`)
  for (const before of stored) {
    const day = made.get(keyOf(before))
    if (day !== undefined) day.net = Decimal.add(before.net, day.net)
  }
  const rows = Array.from(made.values(), (it) => [...valuesOf(it), Decimal.toText(it.net)])
  yield* sql`INSERT INTO result_days (account, currency, live, day, net)
    SELECT ${key}, made.value ->> 4 FROM ${Dialect.jsonRows(sql, rows)} WHERE true
    ON CONFLICT (account, currency, live, day) DO UPDATE SET net = excluded.net`
})

/** Adds the outcomes of steps to the counts of their days, within the caller's transaction. */
export const addCounts = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const sql = yield* SqlClient.SqlClient
  for (const { account, count, day, reason } of countsOf(steps))
    yield* sql`INSERT INTO outcome_days (account, day, reason, count)
      VALUES (${account}, ${day}, ${reason}, ${count})
      ON CONFLICT (account, day, reason) DO UPDATE SET count = outcome_days.count + excluded.count`
})

interface Day {
  readonly account: number
  readonly currency: string
  readonly live: 0 | 1
  readonly day: number
  net: Decimal.Decimal
}

const valuesOf = ({ account, currency, day, live }: Day) => [account, currency, live, day]
const keyOf = (day: Day): string => valuesOf(day).join(" ")

const daysOf = (steps: ReadonlyArray<Step>): Map<string, Day> => {
  const days = new Map<string, Day>()
  for (const { account, trades } of steps) {
    for (const { closedAt, live = false, pair, pnl } of trades) {
      const day: Day = {
        account,
        currency: quoteOf(pair),
        live: Rows.bit(live),
        day: dayOf(closedAt),
        net: pnl
      }
      const known = days.get(keyOf(day))
      if (known === undefined) days.set(keyOf(day), day)
      else known.net = Decimal.add(known.net, pnl)
    }
  }
  return days
}

interface Count {
  readonly account: number
  readonly day: number
  readonly reason: string
  count: number
}

const countsOf = (steps: ReadonlyArray<Step>): Iterable<Count> => {
  const counts = new Map<string, Count>()
  for (const { outcomes } of steps) {
    for (const { account, at, reason } of outcomes) {
      const day = dayOf(at)
      const key = `${account} ${day} ${reason}`
      const known = counts.get(key)
      if (known === undefined) counts.set(key, { account, day, reason, count: 1 })
      else known.count++
    }
  }
  return counts.values()
}
