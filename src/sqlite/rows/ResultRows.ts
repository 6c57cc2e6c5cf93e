// The sums of results by day, updated in the transaction that stores the trades and outcomes.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import { quoteOf } from "../../domain/Market.ts"
import type { Step } from "../../services/Portfolio.ts"
import { dayOf } from "../../services/records/Results.ts"
import * as Insert from "../../sql/rows/Insert.ts"
import * as Rows from "../../sql/rows/Rows.ts"

const nets = Rows.reader(Schema.Struct({ net: Decimal.Text }))

const insertDays = Insert.into(
  "result_days (account, currency, live, day, net)",
  5,
  "account, currency, live, day"
)

/** Adds the trades and outcomes of steps to the sums of their days, within the caller's transaction. */
export const add = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const sql = yield* SqlClient.SqlClient
  const rows: Array<Insert.Row> = []
  for (const { account, currency, day, live, made } of daysOf(steps)) {
    const before = yield* nets.first(sql`SELECT net FROM result_days
      WHERE account = ${account} AND currency = ${currency} AND live = ${live} AND day = ${day}`)
    const net = Option.match(before, { onNone: () => made, onSome: ({ net }) => Decimal.add(net, made) })
    rows.push([account, currency, live, day, Decimal.toText(net)])
  }
  yield* Effect.all(insertDays(sql, rows), { discard: true })
  for (const { account, count, day, reason } of countsOf(steps))
    yield* sql`INSERT INTO outcome_days (account, day, reason, count)
      VALUES (${account}, ${day}, ${reason}, ${count})
      ON CONFLICT DO UPDATE SET count = count + excluded.count`
})

interface Day {
  readonly account: number
  readonly currency: string
  readonly live: 0 | 1
  readonly day: number
  made: Decimal.Decimal
}

const daysOf = (steps: ReadonlyArray<Step>): Iterable<Day> => {
  const days = new Map<string, Day>()
  for (const { account, trades } of steps) {
    for (const { closedAt, live: isLive = false, pair, pnl } of trades) {
      const currency = quoteOf(pair)
      const live = Rows.bit(isLive)
      const day = dayOf(closedAt)
      const key = `${account} ${currency} ${live} ${day}`
      const known = days.get(key)
      if (known === undefined) days.set(key, { account, currency, live, day, made: pnl })
      else known.made = Decimal.add(known.made, pnl)
    }
  }
  return days.values()
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
