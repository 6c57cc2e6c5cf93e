// The one fill model of paper trading and back-test: an order fills whole, at once, at the price of its decision,
// without slippage. In candles, bid and ask are the same price.
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import type { Order } from "../../domain/Order.ts"
import { type Fees, rateOf } from "./Fees.ts"

/** Fills an order at `at` (ms). Market orders pay the taker fee, limit orders the maker fee, a liquidation none. */
export const fill = (order: Order, fees: Fees, at: number): Fill => {
  const notional = Decimal.multiply(order.quantity, Decimal.fromNumber(order.price))
  return {
    order: order.id,
    id: "1",
    exchange: order.exchange,
    pair: order.pair,
    kind: order.kind,
    side: order.side,
    quantity: order.quantity,
    price: order.price,
    notional,
    fee: feeOf(order, notional, fees),
    at
  }
}

const feeOf = (order: Order, notional: Decimal.Decimal, fees: Fees): Decimal.Decimal => {
  if (order.exitReason === "liquidation") return Decimal.zero
  return Decimal.multiply(notional, rateOf(order, fees))
}
