// The stored layer of results by day: sums are read as commits stored them, and alerts of a day are counted
// incrementally.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import { Reason } from "../domain/Alert.ts"
import * as Decimal from "../domain/Decimal.ts"
import { QuoteCurrency } from "../domain/Market.ts"
import { beginOf, Results } from "../services/records/Results.ts"
import * as Rows from "./rows/Rows.ts"

const days = Rows.reader(
  Schema.Struct({ currency: QuoteCurrency, live: Rows.Bit, day: Schema.Int, net: Decimal.Text })
)
const outcomes = Rows.reader(Schema.Struct({ reason: Reason, count: Schema.Int }))
const places = Rows.reader(Schema.Struct({ id: Schema.Int, at: Schema.Int }))
const counts = Rows.reader(Schema.Struct({ count: Schema.Int, last: Schema.NullOr(Schema.Int) }))

/** An account's alerts of a day, counted up to the id `last`. */
interface Counted {
  readonly day: number
  readonly count: number
  readonly last: number
}

/** The most accounts whose count is cached. */
const MAX_COUNTED = 1000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const counted = new Map<AccountId, Counted>()

  /**
   * The last alert of any account before a time, by binary search: ids and times ascend together, except where the
   * clock was set.
   */
  const lastBefore = Effect.fnUntraced(function* (time: number) {
    const newest = yield* places.first(sql`SELECT id, received_at AS at FROM alerts ORDER BY id DESC LIMIT 1`)
    let low = 0
    let high = Option.match(newest, { onNone: () => 0, onSome: ({ id }) => id })
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      const row = yield* places.first(
        sql`SELECT id, received_at AS at FROM alerts WHERE id <= ${middle} ORDER BY id DESC LIMIT 1`
      )
      if (Option.isNone(row) || row.value.at < time) low = middle
      else high = row.value.id - 1
    }
    return low
  })

  /** Continues the last count, so that only new alerts are read. */
  const received = Effect.fn("Results.received")(function* (account: AccountId, day: number) {
    const known = counted.get(account)
    const from = known?.day === day ? known : { day, count: 0, last: yield* lastBefore(beginOf(day)) }
    const { count, last } = yield* counts.one(
      sql`SELECT count(*) AS count, max(id) AS last FROM alerts WHERE account = ${account} AND id > ${from.last}`
    )
    const [oldest] = counted.size >= MAX_COUNTED ? counted.keys() : []
    if (oldest !== undefined) counted.delete(oldest)
    counted.set(account, { day, count: from.count + count, last: last ?? from.last })
    return from.count + count
  })

  return Results.of({
    days: Effect.fn("Results.days")((account) =>
      days.all(sql`SELECT currency, live, day, net FROM result_days WHERE account = ${account}
        ORDER BY currency, live, day`)
    ),
    outcomes: Effect.fn("Results.outcomes")((account, day) =>
      outcomes.all(sql`SELECT reason, count FROM outcome_days WHERE account = ${account} AND day = ${day}`)
    ),
    received
  })
})

export const layer = Layer.effect(Results, make)
