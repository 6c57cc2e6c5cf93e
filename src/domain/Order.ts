// An order: what a bot wants executed. Its id is a function of the decision behind it, so deciding the same again names
// the same order and never duplicates it.
import * as Schema from "effect/Schema"
import { Destination } from "./Arming.ts"
import * as Decimal from "./Decimal.ts"
import { optional } from "./internal/Optional.ts"
import { ExchangeName, MarketKind, Pair } from "./Market.ts"
import { TargetStep } from "./position/Ladder.ts"

/** A function of (strategy, journal id, index): the same decision made twice gives the same id. */
export const OrderId = Schema.NonEmptyString.pipe(Schema.brand("OrderId"))
export type OrderId = typeof OrderId.Type

/** The direction of a position. Spot positions are always long. */
export const PositionSide = Schema.Literal("long", "short")
export type PositionSide = typeof PositionSide.Type

/** The side of an order in the market. */
export const OrderSide = Schema.Literal("buy", "sell")
export type OrderSide = typeof OrderSide.Type

/**
 * `market` pays the taker fee. `limit` is a take profit: on paper it rests at its price and pays the maker fee; live it
 * fills at once or is cancelled, and pays the taker fee. `stop` rests at the exchange and becomes a market order once
 * the price reaches it.
 */
export const OrderType = Schema.Literal("market", "limit", "stop")
export type OrderType = typeof OrderType.Type

/** The purpose of an order: open a position, add to it, or close it. */
export const OrderPurpose = Schema.Literal("entry", "dca", "exit")
export type OrderPurpose = typeof OrderPurpose.Type

/** Why a position was closed. */
export const EXIT_REASONS = [
  "stop_loss",
  "sl",
  "break_even",
  "take_profit",
  "tp",
  "trailing_sell",
  "auto_close",
  "own_exit",
  "signal",
  "manual",
  "balance_take_profit",
  "balance_stop_loss",
  "liquidation",
  "strategy_deleted",
  "disarmed",
  "written_off"
] as const
/** Why a position was closed, as stored and reported. */
export const ExitReason = Schema.Literal(...EXIT_REASONS)
export type ExitReason = typeof ExitReason.Type

/** The fields that identify a market, and with it a slot of a bot. */
export const marketFields = { exchange: ExchangeName, pair: Pair, kind: MarketKind }

const orderFields = {
  id: OrderId,
  ...marketFields,
  position: PositionSide,
  side: OrderSide,
  type: OrderType,
  quantity: Decimal.Text,
  price: Schema.Number,
  purpose: OrderPurpose,
  exitReason: optional(ExitReason),
  reserved: Decimal.Text,
  alert: optional(Schema.Int),
  tp: optional(Schema.Number),
  sl: optional(Schema.Number),
  tps: optional(Schema.Array(TargetStep)),
  part: optional(Schema.Literal(true)),
  step: optional(Schema.Int),
  partlyFilled: optional(Schema.Boolean),
  live: optional(Destination),
  at: Schema.Int
}
/** The schema of an order. */
export interface OrderSchema extends Schema.Struct<typeof orderFields> {}
/**
 * An order. `quantity` in base; `price` in quote is the price of the decision: the limit of a limit order, the
 * reference of a market order. `reserved` is the free cash it may use, fee included. An entry carries the targets
 * (`tp` or `tps`, `sl`) and the alert for its position. An exit with `part` leaves the rest of the position open, and
 * `step` is how many steps of its ladder are done once it filled. In flight, `quantity` and `reserved` are what remains,
 * and `partlyFilled` says that some of it filled. `live` is where it is sent; absent: a paper order.
 */
export const Order: OrderSchema = Schema.Struct(orderFields)
export type Order = typeof Order.Type

/** `unknown`: sent without an answer; the exchange is asked about it, and it is never sent again blindly. */
export const OrderStatus = Schema.Literal(
  "intended",
  "accepted",
  "unknown",
  "partly_filled",
  "filled",
  "rejected",
  "cancelled"
)
export type OrderStatus = typeof OrderStatus.Type
