// Checks each order's status against its fills and its bot.
import type { Database } from "bun:sqlite"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import { columns } from "../../sql/rows/PortfolioRows.ts"
import type { Fault } from "../client/Fault.ts"
import { ORDER_OF_FILL } from "./VerifyBooks.ts"

/** Finds orders whose status contradicts their fills or their bots. */
export function* contradicted(database: Database): Generator<Fault> {
  yield* unfilled(database)
  yield* complete(database)
  yield* forgotten(database)
}

/** Orders with a filled status and without a fill. */
function* unfilled(database: Database): Generator<Fault> {
  const found = database.query(`SELECT strategy_id, sequence, id, status FROM orders WHERE id IN (
    SELECT id FROM orders WHERE status IN ('partly_filled', 'filled')
    EXCEPT SELECT ${ORDER_OF_FILL} FROM fills) ORDER BY sequence`)
  for (const [strategy, row, id, status] of found.values())
    yield fault(strategy, row, `order ${id} is ${status}, and there is no fill of it`)
}

const decodeIntent = Schema.decodeUnknownOption(columns.order)
const decodeFill = Schema.decodeUnknownOption(columns.fill)

/** Orders that are filled completely, with a status without fills. */
function* complete(database: Database): Generator<Fault> {
  const rows = database.query(`SELECT orders.strategy_id, sequence, orders.id, status, intent, fill
    FROM fills CROSS JOIN orders ON orders.id = ${ORDER_OF_FILL}
    WHERE status IN ('intended', 'accepted', 'unknown') ORDER BY sequence`)
  const left = new Map<unknown, Decimal.Decimal>()
  for (const [strategy, row, id, status, intent, fill] of rows.values()) {
    // Unreadable rows are reported where rows are read.
    const read = Option.all({ order: decodeIntent(intent), fill: decodeFill(fill) })
    if (Option.isNone(read)) continue
    const { fill: one, order } = read.value
    const before = left.get(row) ?? order.quantity
    const after = Decimal.subtract(before, one.quantity)
    left.set(row, after)
    if (Decimal.isPositive(before) && !Decimal.isPositive(after))
      yield fault(strategy, row, `order ${id} is ${status}, and all of it has filled`)
  }
}

/** Open orders that no bot waits for: nobody would ever ask about them. */
function* forgotten(database: Database): Generator<Fault> {
  const found = database.query(`SELECT strategy_id, sequence, id, status FROM orders
    WHERE status IN ('intended', 'accepted', 'unknown', 'partly_filled') AND id NOT IN (
      SELECT json_extract(state, slot.fullkey || place.value) AS waited
      FROM bots, json_each(CASE WHEN json_valid(state) THEN state ELSE '{}' END, '$.slots') AS slot,
        json_each('[".order.id", ".stop.id"]') AS place
      WHERE waited IS NOT NULL) ORDER BY sequence`)
  for (const [strategy, row, id, status] of found.values())
    yield fault(strategy, row, `order ${id} is ${status}, and its bot has no such order in flight`)
}

const fault = (strategy: unknown, row: unknown, text: string): Fault => ({
  strategy: Number(strategy),
  table: "orders",
  row: Number(row),
  text
})
