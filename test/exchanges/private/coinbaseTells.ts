// What coinbase tells of orders, fills and balances.
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { StubMarket } from "../Protocol.ts"
import { micros } from "../times.ts"
import { orZero, text } from "./common.ts"
import type { Desk } from "./Desk.ts"
import type { Fill, Order, Ticket } from "./Order.ts"

export const idOf = ({ pair }: StubMarket): string => pair.replace("/", "-")

export const configuration = ({ amount, cost, price, tif, trigger, type }: Ticket) => {
  if (type === "market")
    return {
      market_market_ioc: cost === undefined ? { base_size: orZero(amount) } : { quote_size: text(cost) }
    }
  const sizes = { base_size: orZero(amount), limit_price: orZero(price) }
  if (trigger !== undefined) {
    const stop_direction = trigger.rising ? "STOP_DIRECTION_STOP_UP" : "STOP_DIRECTION_STOP_DOWN"
    return { stop_limit_stop_limit_gtc: { ...sizes, stop_price: text(trigger.price), stop_direction } }
  }
  if (tif === "ioc") return { sor_limit_ioc: sizes }
  return { limit_limit_gtc: { ...sizes, post_only: tif === "post_only" } }
}

export const told = (order: Order) => {
  const { clientId, cost, market, side, tif, trigger, type } = order.ticket
  const whole = order.status === "cancelled" ? "CANCELLED" : "OPEN"
  return {
    order_id: order.id,
    product_id: idOf(market),
    user_id: "stub",
    order_configuration: configuration(order.ticket),
    side: side.toUpperCase(),
    client_order_id: clientId ?? "",
    status: order.status === "filled" ? "FILLED" : whole,
    time_in_force: type === "market" || tif === "ioc" ? "IMMEDIATE_OR_CANCEL" : "GOOD_UNTIL_CANCELLED",
    created_time: micros(order.createdAt),
    last_fill_time: order.fills.length === 0 ? null : micros(order.updatedAt),
    completion_percentage: order.status === "filled" ? "100" : "0",
    filled_size: text(order.filled),
    average_filled_price: orZero(order.average),
    fee: "",
    number_of_fills: `${order.fills.length}`,
    filled_value: text(order.paid),
    pending_cancel: false,
    size_in_quote: cost !== undefined,
    total_fees: text(order.fee),
    size_inclusive_of_fees: cost !== undefined,
    total_value_after_fees: text(Decimal.add(order.paid, order.fee)),
    trigger_status: trigger === undefined ? "INVALID_ORDER_TYPE" : "STOP_PENDING",
    order_type: trigger === undefined ? type.toUpperCase() : "STOP_LIMIT",
    reject_reason: "REJECT_REASON_UNSPECIFIED",
    settled: order.status === "filled",
    product_type: "SPOT"
  }
}

export const trade = ({ amount, at, fee, id, isMaker, order, price }: Fill) => ({
  entry_id: `entry-${id}`,
  trade_id: id,
  order_id: order.id,
  trade_time: micros(at),
  trade_type: "FILL",
  price: text(price),
  size: text(amount),
  commission: text(fee),
  product_id: idOf(order.ticket.market),
  sequence_timestamp: micros(at),
  liquidity_indicator: isMaker ? "MAKER" : "TAKER",
  size_in_quote: false,
  side: order.ticket.side.toUpperCase()
})

export const accounts = ({ book }: Desk) =>
  [...book.funds.all].map(([currency, { free, held }]) => ({
    uuid: `account-${currency}`,
    ...{
      name: `${currency} Wallet`,
      currency,
      default: true,
      active: true,
      ready: true,
      platform: "ACCOUNT_PLATFORM_CONSUMER"
    },
    type: currency === "USD" ? "ACCOUNT_TYPE_FIAT" : "ACCOUNT_TYPE_CRYPTO",
    available_balance: { value: text(free), currency },
    hold: { value: text(held), currency }
  }))
