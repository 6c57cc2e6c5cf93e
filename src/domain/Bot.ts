// The state of a bot: cash, baseline, and one slot per market with its position, armed entry and orders. All that
// survives a restart is here; the stored tags and fields never change their names.
import * as Schema from "effect/Schema"
import { ChartPosition } from "./Alert.ts"
import { Armed } from "./Arming.ts"
import * as Decimal from "./Decimal.ts"
import { optional } from "./internal/Optional.ts"
import { type KnownCurrency, QuoteCurrency } from "./Market.ts"
import { ExitReason, marketFields, Order, OrderType, PositionSide } from "./Order.ts"
import { Position } from "./Position.ts"
import { TargetStep } from "./position/Ladder.ts"

/**
 * An armed trailing buy. `extreme` is the best price since an alert armed it: the lowest for a long, the highest for a
 * short.
 */
export const TrailingBuy = Schema.Struct({
  side: PositionSide,
  alert: Schema.Int,
  extreme: Schema.Number,
  armedAt: Schema.Int,
  tp: optional(Schema.Number),
  sl: optional(Schema.Number),
  tps: optional(Schema.Array(TargetStep)),
  buyPercentage: optional(Schema.Number)
})
export type TrailingBuy = typeof TrailingBuy.Type

const turnFields = {
  alert: Schema.Int,
  at: Schema.Int,
  side: PositionSide,
  tp: optional(Schema.Number),
  sl: optional(Schema.Number),
  tps: optional(Schema.Array(TargetStep)),
  buyPercentage: optional(Schema.Number),
  until: optional(Schema.Int)
}
/** The schema of a turn. */
export interface TurnSchema extends Schema.Struct<typeof turnFields> {}
/**
 * The second leg of a turn: the entry that is decided once the order that closes the other side has ended. `alert` is
 * the alert behind it and `at` when that was received (ms); after `until` (ms) it is stale.
 */
export const Turn: TurnSchema = Schema.Struct(turnFields)
export type Turn = typeof Turn.Type

const slotFields = {
  ...marketFields,
  position: optional(Position),
  trailingBuy: optional(TrailingBuy),
  order: optional(Order),
  stop: optional(Order),
  stopEnding: optional(Schema.Literal(true)),
  entryEnding: optional(Schema.Literal(true)),
  astray: optional(Schema.Int),
  retry: optional(
    Schema.Struct({
      until: Schema.Int,
      times: Schema.Int,
      type: OrderType,
      wish: optional(ExitReason),
      part: optional(Decimal.Text),
      step: optional(Schema.Int)
    })
  ),
  turn: optional(Turn)
}
/** The schema of a bot's slot. */
export interface SlotSchema extends Schema.Struct<typeof slotFields> {}
/**
 * A bot's slot on one market: a position or an armed trailing buy, and at most one order in flight. Live slots may also
 * have `stop`, the protective order resting at the exchange, with `stopEnding` while it is being cancelled;
 * `entryEnding` while the entry in flight is being cancelled by hand; `astray`,
 * since when (ms) the exchange holds less than the position, which suspends the slot; and `retry`, until when (ms)
 * orders of a type wait after so many rejections. A `wish` in it is a decided exit, made after the wait whether or not
 * its rule still holds: of the quantity `part` (base), with the `step` of its order; without it of all that is held.
 * `turn` is the entry that follows the order that closes this slot.
 */
export const Slot: SlotSchema = Schema.Struct(slotFields)
export type Slot = typeof Slot.Type

/** The two rules that watch a strategy's whole equity and close all its positions. */
export const BalanceRule = Schema.Literal("balance_stop_loss", "balance_take_profit")
export type BalanceRule = typeof BalanceRule.Type

const chartMemoryFields = {
  held: ChartPosition,
  at: Schema.Int,
  by: Schema.Int,
  waiting: optional(Schema.Array(Schema.Int))
}
/** The schema of what a bot remembers of a chart. */
export interface ChartMemorySchema extends Schema.Struct<typeof chartMemoryFields> {}
/**
 * What a chart's strategy held by its last message, and when that was received (ms). `by` is the newest of its alerts
 * that were let through, `waiting` are those that wait for the message that belongs before them.
 */
export const ChartMemory: ChartMemorySchema = Schema.Struct(chartMemoryFields)
export type ChartMemory = typeof ChartMemory.Type

const botStateFields = {
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
  setAside: optional(Schema.Int),
  unlisted: optional(Schema.Literal(true)),
  charts: optional(Schema.Record({ key: Schema.String, value: ChartMemory }))
}
/** The schema of a bot's state. */
export interface BotStateSchema extends Schema.Struct<typeof botStateFields> {}
/**
 * Everything that a bot remembers. Money in `quote`.
 *
 * `cash` is free cash; `baseline` is the equity at the start or after the last balance event. `closing` is the balance
 * rule that is closing all positions. The two `until` (ms) end the rules' cooldowns. Slots are keyed by market key; an
 * empty slot is absent. `live` is present while the strategy trades with real money. `period` counts how often its
 * performance started anew, from 1 (absent means 1). `setAside` is since when (ms) the bot gets no events because one
 * overran; new settings end that. `unlisted` beside it: because the server did not list a venue of the strategy, which
 * ends once a server lists it. `charts` is what charts held by their last messages, by signal, pair and kind of market.
 */
export const BotState: BotStateSchema = Schema.Struct(botStateFields)
export type BotState = typeof BotState.Type

/** The starting balance of a paper account in each quote currency; those of an embedder's own may be missing. */
export interface StartingBalances extends Readonly<Record<KnownCurrency, Decimal.Decimal>> {
  readonly [currency: string]: Decimal.Decimal
}
/** The default starting balances, in units of each currency. */
export const STARTING_BALANCES: StartingBalances = {
  USDT: Decimal.unsafeFromText("10000"),
  USD: Decimal.unsafeFromText("10000"),
  BTC: Decimal.unsafeFromText("1"),
  ETH: Decimal.unsafeFromText("10")
}
/** The starting balance where none is given for a currency. */
const OTHERWISE = Decimal.unsafeFromText("10000")
/** The starting balance in a currency: 10,000 units where `balances` does not have it. */
export const startingBalanceOf = (balances: StartingBalances, quote: QuoteCurrency): Decimal.Decimal =>
  balances[quote] ?? OTHERWISE
