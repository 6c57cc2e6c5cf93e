import * as Schema from "effect/Schema"
import { Destination } from "./Arming.ts"
import * as Decimal from "./Decimal.ts"
import { ExchangeName, MarketKind, Pair } from "./Market.ts"

/** A function of (strategy, journal sequence, index): the same decision made twice names the same order. */
export const OrderId = Schema.NonEmptyString.pipe(Schema.brand("OrderId"))
export type OrderId = typeof OrderId.Type

/** The direction of a position. Spot positions are always long. */
export const PositionSide = Schema.Literal("long", "short")
export type PositionSide = typeof PositionSide.Type

/** What an order does to the market. */
export const OrderSide = Schema.Literal("buy", "sell")
export type OrderSide = typeof OrderSide.Type

/**
 * `market` pays the taker fee. `limit` is a take profit: on paper it rested at its price and pays the maker fee, live it
 * fills at once or is cancelled and pays the taker fee. `stop` rests at a live exchange and sells at market once the price
 * has come to its own.
 */
export const OrderType = Schema.Literal("market", "limit", "stop")
export type OrderType = typeof OrderType.Type

/** What an order is for: to open a position, to buy more of it, or to close it. */
export const OrderPurpose = Schema.Literal("entry", "dca", "exit")
export type OrderPurpose = typeof OrderPurpose.Type

/** Why a position was closed, as reported. */
export const EXIT_REASONS = [
  "stop_loss",
  "sl",
  "take_profit",
  "tp",
  "trailing_sell",
  "auto_close",
  "signal",
  "balance_take_profit",
  "balance_stop_loss",
  "liquidation",
  "strategy_deleted",
  "disarmed",
  "written_off"
] as const
/** Why a position was closed, as it is stored and reported. */
export const ExitReason = Schema.Literal(...EXIT_REASONS)
export type ExitReason = typeof ExitReason.Type

/** The fields that name a market, and with it a position slot of a bot. */
export const marketFields = { exchange: ExchangeName, pair: Pair, kind: MarketKind }

/**
 * What a bot wants done. `quantity` in the base asset; `price` is the price it was decided at, in quote: the
 * limit of a limit order, the reference of a market order. `reserved` is the free cash that it may use up,
 * fee included. Targets and `alert` travel with an entry, to be put on the position that it opens. In flight,
 * `quantity` and `reserved` are what is still to come, and `partlyFilled` says that some of it came already. `live`
 * is where it goes; absent, it is a paper order.
 */
export const Order = Schema.Struct({
  id: OrderId,
  ...marketFields,
  position: PositionSide,
  side: OrderSide,
  type: OrderType,
  quantity: Decimal.Text,
  price: Schema.Number,
  purpose: OrderPurpose,
  exitReason: Schema.optionalWith(ExitReason, { exact: true }),
  reserved: Decimal.Text,
  alert: Schema.optionalWith(Schema.Int, { exact: true }),
  tp: Schema.optionalWith(Schema.Number, { exact: true }),
  sl: Schema.optionalWith(Schema.Number, { exact: true }),
  partlyFilled: Schema.optionalWith(Schema.Boolean, { exact: true }),
  live: Schema.optionalWith(Destination, { exact: true }),
  at: Schema.Int
})
export type Order = typeof Order.Type

/** `unknown`: sent, and no answer came; it is asked about, never sent again blindly. */
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
