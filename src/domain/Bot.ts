import * as Schema from "effect/Schema"
import { Armed } from "./Arming.ts"
import * as Decimal from "./Decimal.ts"
import { QuoteCurrency } from "./Market.ts"
import { ExitReason, marketFields, Order, OrderType, PositionSide } from "./Order.ts"
import { Position } from "./Position.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/**
 * An entry that waits for the price to turn: armed by an alert, it follows the best price since (`extreme`: the
 * lowest towards a long, the highest towards a short).
 */
export const TrailingBuy = Schema.Struct({
  side: PositionSide,
  alert: Schema.Int,
  extreme: Schema.Number,
  armedAt: Schema.Int,
  tp: optional(Schema.Number),
  sl: optional(Schema.Number)
})
export type TrailingBuy = typeof TrailingBuy.Type

/**
 * What a bot has on one market: a position or an armed trailing buy, and at most one order in flight. Live there may
 * be besides: `stop`, the protective order that rests at the exchange, with `stopEnding` while it is being taken back;
 * `astray`, since when (ms) the exchange holds less than the position, which stops the bot here; `retry`, until when
 * (ms) orders of a type wait that was turned down so many times. A `wish` in it is an exit that is decided, and is made
 * then whether or not what decided it still holds.
 */
export const Slot = Schema.Struct({
  ...marketFields,
  position: optional(Position),
  trailingBuy: optional(TrailingBuy),
  order: optional(Order),
  stop: optional(Order),
  stopEnding: optional(Schema.Literal(true)),
  astray: optional(Schema.Int),
  retry: optional(
    Schema.Struct({ until: Schema.Int, times: Schema.Int, type: OrderType, wish: optional(ExitReason) })
  )
})
export type Slot = typeof Slot.Type

/** The two rules that look at a strategy's whole equity, and close all of it. */
export const BalanceRule = Schema.Literal("balance_stop_loss", "balance_take_profit")
export type BalanceRule = typeof BalanceRule.Type

/**
 * All that a bot remembers; what is not here does not survive a restart. Money in `quote`.
 *
 * `cash` is free cash; `baseline` the equity at the start or after the last balance event. `closing` is the
 * balance rule that is closing everything, until all is flat. The two `until` (ms) end the rules' cooldowns.
 * Slots by market key; a slot with nothing in it is absent. `live` is there while the strategy trades with real
 * money. `period` counts how often its performance began anew, from 1, which is what is meant where it is absent.
 * `setAside` is since when (ms) the bot gets no events, until it has new settings: it came to no end with one.
 */
export const BotState = Schema.Struct({
  quote: QuoteCurrency,
  startingBalance: Decimal.Text,
  cash: Decimal.Text,
  baseline: Decimal.Text,
  closing: optional(BalanceRule),
  takeProfitUntil: optional(Schema.Int),
  stopLossUntil: optional(Schema.Int),
  slots: Schema.Record({ key: Schema.String, value: Slot }),
  live: optional(Armed),
  period: optional(Schema.Int),
  setAside: optional(Schema.Int)
})
export type BotState = typeof BotState.Type

/** What a paper account begins with, in each quote currency. */
export type StartingBalances = Readonly<Record<QuoteCurrency, Decimal.Decimal>>
/** What a strategy begins with on paper where nothing else is set, in units of its currency. */
export const STARTING_BALANCES: StartingBalances = {
  USDT: Decimal.unsafeFromText("10000"),
  USD: Decimal.unsafeFromText("10000"),
  BTC: Decimal.unsafeFromText("1"),
  ETH: Decimal.unsafeFromText("10")
}
