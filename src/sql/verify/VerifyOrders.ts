// Checks each order's status against its fills and its bot.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import { columns, ORDER_OF_FILL } from "../rows/PortfolioRows.ts"
import type { Check, Fault } from "./Fault.ts"
import { each, type Source } from "./Source.ts"

/** Finds orders whose status contradicts their fills or their bots. */
export function* contradicted(source: Source): Check {
  yield* unfilled(source)
  yield* complete(source)
  yield* forgotten(source)
}

const Named = Schema.Struct({
  strategy: Schema.Int,
  sequence: Schema.Int,
  id: Schema.String,
  status: Schema.String
})
const namedOf = Schema.decodeUnknownSync(Named)
const filledOf = Schema.decodeUnknownSync(
  Schema.Struct({ ...Named.fields, intent: Schema.String, fill: Schema.String })
)

const NAMED = "orders.strategy_id AS strategy, sequence, orders.id, status"

/** Orders with a filled status and without a fill. */
const unfilled = (source: Source): Check =>
  each(
    source.rows(`SELECT ${NAMED} FROM orders WHERE id IN (
      SELECT id FROM orders WHERE status IN ('partly_filled', 'filled')
      EXCEPT SELECT ${ORDER_OF_FILL[source.dialect]} FROM fills) ORDER BY sequence`),
    (row) => {
      const order = namedOf(row)
      return [fault(order, `order ${order.id} is ${order.status}, and there is no fill of it`)]
    }
  )

const decodeIntent = Schema.decodeUnknownOption(columns.order)
const decodeFill = Schema.decodeUnknownOption(columns.fill)

/** SQLite reads the tables of a cross join as they stand: every fill, and its order by the index. */
const JOIN = { sqlite: "CROSS JOIN", pg: "JOIN" } as const

/** Orders that are filled completely, with a status without fills. */
function* complete(source: Source): Check {
  const left = new Map<number, Decimal.Decimal>()
  const rows = source.rows(`SELECT ${NAMED}, intent, fill
    FROM fills ${JOIN[source.dialect]} orders ON orders.id = ${ORDER_OF_FILL[source.dialect]}
    WHERE status IN ('intended', 'accepted', 'unknown') ORDER BY sequence`)
  yield* each(rows, (row) => {
    const { fill, intent, ...named } = filledOf(row)
    // Unreadable rows are reported where rows are read.
    const read = Option.all({ order: decodeIntent(intent), fill: decodeFill(fill) })
    if (Option.isNone(read)) return undefined
    const before = left.get(named.sequence) ?? read.value.order.quantity
    const after = Decimal.subtract(before, read.value.fill.quantity)
    left.set(named.sequence, after)
    return Decimal.isPositive(before) && !Decimal.isPositive(after)
      ? [fault(named, `order ${named.id} is ${named.status}, and all of it has filled`)]
      : undefined
  })
}

/** What a bot waits for: the order and the stop of each slot. */
const Placed = Schema.optional(Schema.NullOr(Schema.Struct({ id: Schema.optional(Schema.Unknown) })))
const Waiting = Schema.Struct({
  state: Schema.parseJson(
    Schema.Struct({
      slots: Schema.Record({
        key: Schema.String,
        value: Schema.Struct({ order: Placed, stop: Placed })
      })
    })
  )
})
const decodeWaiting = Schema.decodeUnknownEither(Waiting)

/** Open orders that no bot waits for: nobody would ever ask about them. */
function* forgotten(source: Source): Check {
  const awaited = new Set<unknown>()
  yield* each(source.rows("SELECT state FROM bots"), (row) => {
    const decoded = decodeWaiting(row)
    // Unreadable rows are reported where rows are read.
    if (Either.isRight(decoded))
      for (const { order, stop } of Object.values(decoded.right.state.slots))
        for (const place of [order, stop]) if (place?.id !== undefined) awaited.add(place.id)
    return undefined
  })
  const open = source.rows(`SELECT ${NAMED} FROM orders
    WHERE status IN ('intended', 'accepted', 'unknown', 'partly_filled') ORDER BY sequence`)
  yield* each(open, (row) => {
    const order = namedOf(row)
    return awaited.has(order.id)
      ? undefined
      : [fault(order, `order ${order.id} is ${order.status}, and its bot has no such order in flight`)]
  })
}

const fault = ({ sequence, strategy }: typeof Named.Type, text: string): Fault => ({
  strategy,
  table: "orders",
  row: sequence,
  text
})
