// The one fill model of paper trading and back-test: an order fills whole, at once, at the price of its decision,
// without slippage. In candles, bid and ask are the same price. Where a fill model is on, market orders fill at a worse
// price, or later.
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import type { Order } from "../../domain/Order.ts"
import { tidy } from "../Prices.ts"
import { type Fees, rateOf } from "./Fees.ts"
import { marketPrice } from "./FillPrice.ts"

/** Fills an order at `at` (ms). Market orders pay the taker fee, limit orders the maker fee, a liquidation none. */
export const fill = (order: Order, fees: Fees, at: number): Fill =>
  filled(order, fees, at, { quantity: order.quantity, price: priceOf(order, fees, order.price) })

/**
 * Fills a market order at `at` (ms) that arrives late, when its market is at `price`. An entry never costs more than was set
 * aside for it: where the price ran away, less is bought; undefined where nothing can be.
 */
export const fillLate = (order: Order, fees: Fees, at: number, arrival: number): Fill | undefined => {
  const price = priceOf(order, fees, tidy(arrival))
  const whole = filled(order, fees, at, { quantity: order.quantity, price })
  const cost = Decimal.add(whole.notional, whole.fee)
  if (order.purpose === "exit" || Decimal.lessThanOrEqualTo(cost, order.reserved)) return whole
  const each = Decimal.product(Decimal.fromNumber(price), Decimal.add(Decimal.one, fees.taker))
  const step = fees.fills?.market.amountStep ?? Decimal.zero
  const quantity = Decimal.floorToStep(Decimal.divide(order.reserved, each), step)
  return Decimal.isPositive(quantity) ? filled(order, fees, at, { quantity, price }) : undefined
}

/** Why a late order is rejected that buys nothing. */
export const TOO_DEAR = "the price ran away while the order was on its way"

/** Whether an order takes what the book has: a resting limit does not, and a liquidation is not an order of ours. */
export const isTaker = ({ exitReason, type }: Order): boolean =>
  type !== "limit" && exitReason !== "liquidation"

const priceOf = (order: Order, { fills }: Fees, price: number): number =>
  fills === undefined || !isTaker(order) ? price : marketPrice(order.side, price, fills)

const filled = (
  order: Order,
  fees: Fees,
  at: number,
  { price, quantity }: Pick<Fill, "price" | "quantity">
): Fill => {
  const notional = Decimal.multiply(quantity, Decimal.fromNumber(price))
  return {
    order: order.id,
    id: "1",
    exchange: order.exchange,
    pair: order.pair,
    kind: order.kind,
    side: order.side,
    quantity,
    price,
    notional,
    fee: feeOf(order, notional, fees),
    at
  }
}

const feeOf = (order: Order, notional: Decimal.Decimal, fees: Fees): Decimal.Decimal => {
  if (order.exitReason === "liquidation") return Decimal.zero
  return Decimal.multiply(notional, rateOf(order, fees))
}
