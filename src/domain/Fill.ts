// A fill: an execution of an order, whole or in part. Its fee always counts in quote; a fee paid in another asset keeps
// the rate that converted it.
import * as Schema from "effect/Schema"
import * as Decimal from "./Decimal.ts"
import { marketFields, OrderId, OrderSide } from "./Order.ts"

/**
 * An execution of an order. `id` tells apart the fills of one order; `quantity` is the change of the position, in base;
 * `price` is the mean price, `notional` and `fee` in quote. If the exchange takes its fee from the bought coin,
 * `quantity` is what arrived and `fee` the worth of the rest. A fee in any asset but the quote is kept in `paid`, with
 * its rate (quote per unit).
 */
export const Fill = Schema.Struct({
  order: OrderId,
  // Rows of the first version have no id: their orders filled whole.
  id: Schema.optionalWith(Schema.String, { default: () => "1" }),
  ...marketFields,
  side: OrderSide,
  quantity: Decimal.Text,
  price: Schema.Number,
  notional: Decimal.Text,
  fee: Decimal.Text,
  paid: Schema.optionalWith(
    Schema.Struct({ asset: Schema.String, amount: Decimal.Text, rate: Decimal.Text }),
    { exact: true }
  ),
  at: Schema.Int
})
export type Fill = typeof Fill.Type
