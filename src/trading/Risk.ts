// The risk gate, the last check before an exchange: only an `Approved` order can be sent, and only `approve` makes one.
// It checks the order against the books, the halt, the loss of the day and the largest agreed order.
import * as Brand from "effect/Brand"
import * as Either from "effect/Either"
import type { BotState } from "../domain/Bot.ts"
import * as Decimal from "../domain/Decimal.ts"
import type { Market, MarketId } from "../domain/Market.ts"
import type { Order } from "../domain/Order.ts"

/** An order that passed `approve`, the only kind that an exchange accepts. */
export type Approved = Order & Brand.Brand<"signalbox/Approved">
const seal = Brand.nominal<Approved>()

/** Why an order must not be sent. A sound run never sees the first eight: they are faults of ours or of the books. */
export type Rejection =
  | "no_quantity"
  | "no_price"
  | "order_in_flight"
  | "beyond_free_cash"
  | "below_minimum"
  | "market_closed"
  | "no_position"
  | "beyond_position"
  | Bar
  | "over_max_order"

/** Why no entry is allowed, DCA included, whatever the market does. */
export type Bar = "halted" | "disarming" | "daily_loss"

/** The first bar that holds; on paper only a halt can. */
export const barred = ({ live }: BotState, isHalted: boolean): Bar | undefined => {
  if (isHalted) return "halted"
  if (live?.leaving === true) return "disarming"
  return live?.day?.tripped === true ? "daily_loss" : undefined
}

/** Whether an entry would reserve more than the largest order the strategy was armed for. */
export const isOverMost = ({ live }: BotState, reserved: Decimal.Decimal): boolean =>
  live !== undefined && Decimal.greaterThan(reserved, live.maxOrder)

/** The facts besides the books that an approval needs: the markets, and whether entries are halted. */
export interface Surroundings {
  readonly market: (id: MarketId) => Market | undefined
  readonly halted?: boolean
}

/** Approves an order, or returns the first reason against it. */
export const approve = (
  order: Order,
  key: string,
  state: BotState,
  { halted, market }: Surroundings
): Either.Either<Approved, Rejection> => {
  const refusal = rejection(order, key, state, market(order)) ?? overstep(order, state, halted === true)
  return refusal === undefined ? Either.right(seal(order)) : Either.left(refusal)
}

/** Cash minus what entry orders in flight reserve, in quote. */
export const freeCash = (state: BotState): Decimal.Decimal => {
  let free = state.cash
  for (const key in state.slots) {
    const order = state.slots[key]?.order
    if (order !== undefined && order.purpose !== "exit") free = Decimal.subtract(free, order.reserved)
  }
  return free
}

const rejection = (
  order: Order,
  key: string,
  state: BotState,
  market: Market | undefined
): Rejection | undefined => {
  const slot = state.slots[key]
  if (!Decimal.isPositive(order.quantity)) return "no_quantity"
  if (!(order.price > 0 && order.price < Number.POSITIVE_INFINITY)) return "no_price"
  if (slot?.order !== undefined) return "order_in_flight"
  if (order.purpose === "exit") {
    if (slot?.position === undefined) return "no_position"
    // A resting stop already holds the position at the exchange.
    if (slot.stop !== undefined) return "order_in_flight"
    return Decimal.greaterThan(order.quantity, slot.position.quantity) ? "beyond_position" : undefined
  }
  if (market === undefined || !market.active || !market.buyEnabled) return "market_closed"
  if (Decimal.lessThan(order.quantity, market.minAmount)) return "below_minimum"
  return Decimal.greaterThan(order.reserved, freeCash(state)) ? "beyond_free_cash" : undefined
}

const overstep = (order: Order, state: BotState, isHalted: boolean): Rejection | undefined => {
  if (order.purpose === "exit") return undefined
  return barred(state, isHalted) ?? (isOverMost(state, order.reserved) ? "over_max_order" : undefined)
}
