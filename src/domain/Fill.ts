import * as Schema from "effect/Schema"
import * as Decimal from "./Decimal.ts"
import { marketFields, OrderId, OrderSide } from "./Order.ts"

/**
 * What an exchange made of an order, in whole or in part. `id` tells it from the order's other fills; `quantity` is
 * what the position gains or loses, in base; `price` the mean price, in quote; `fee` is in quote. A venue that takes
 * its fee in the coin bought reports the quantity that arrived, and that fee's worth as `fee`; a fee in any asset but
 * the quote is kept in `paid` with the rate (quote for one unit) that converted it.
 */
export const Fill = Schema.Struct({
  order: OrderId,
  // Rows of the first version have none: their orders filled whole.
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
