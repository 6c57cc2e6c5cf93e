// The stored layer that lists orders with their fills.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { OrderStatus } from "../domain/Order.ts"
import { Orders } from "../services/money/Orders.ts"
import { columns, ORDER_OF_FILL } from "./rows/PortfolioRows.ts"
import * as Rows from "./rows/Rows.ts"

const rows = Rows.reader(
  Schema.Struct({
    sequence: Schema.Int,
    order: columns.order,
    status: OrderStatus,
    fills: Schema.parseJson(Schema.Array(columns.fill))
  })
)

/**
 * The fills of a row of `orders`, as a JSON array of their texts. On SQLite a unary plus removes the column's affinity,
 * so that the index on the fill's order is used.
 */
const fillsOf = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => sql`(SELECT CAST(coalesce(json_agg(fill ORDER BY fills.id), '[]') AS text) FROM fills
      WHERE ${sql.literal(ORDER_OF_FILL.pg)} = orders.id)`,
    orElse: () => sql`(SELECT json_group_array(fill) FROM (SELECT fill FROM fills
      WHERE ${sql.literal(ORDER_OF_FILL.sqlite)} = +orders.id ORDER BY fills.id))`
  })

/** One statement, so that an order and its fills are of one moment. */
const make = Effect.map(SqlClient.SqlClient, (sql) =>
  Orders.of({
    page: Effect.fn("Orders.page")((strategy, { before, limit }) =>
      rows.all(sql`SELECT sequence, intent AS "order", status, ${fillsOf(sql)} AS fills
        FROM orders WHERE strategy_id = ${strategy} AND sequence < ${before ?? Number.MAX_SAFE_INTEGER}
        ORDER BY sequence DESC LIMIT ${limit}`)
    )
  })
)

export const layer = Layer.effect(Orders, make)
