// A trade: one position from its first fill until it is flat. pnl = proceeds - cost, net of all fees.
import * as Schema from "effect/Schema"
import * as Decimal from "./Decimal.ts"
import { optional } from "./internal/Optional.ts"
import { ExitReason, marketFields, PositionSide } from "./Order.ts"

const exitFillFields = {
  at: Schema.Int,
  price: Schema.Number,
  quantity: Decimal.Text,
  reason: ExitReason
}
/** The schema of an exit fill. */
export interface ExitFillSchema extends Schema.Struct<typeof exitFillFields> {}
/** An exit of a trade: when (ms), the price in quote, the quantity in base, and why. */
export const ExitFill: ExitFillSchema = Schema.Struct(exitFillFields)
export type ExitFill = typeof ExitFill.Type

/** The most exit fills that a trade lists. Later ones are added to the last, at their mean price. */
export const MAX_EXIT_FILLS = 200

/**
 * A completed position. Prices are means over the fills (quote), `quantity` is everything entered (base). `cost` =
 * entry notional + entry fees; `proceeds` is what returned to free cash; `pnl` = proceeds - cost; `fees` are those of
 * entries and exits; `entries` counts entry fills, `exits` exit fills, and `exitFills` lists them; both are absent where
 * one exit fill closed all, and in trades of older versions. `funding` is what a perpetual received in funding, negative
 * for what it paid, and is among `proceeds`; absent where none fell due. Times in ms. `period` is the bot's period, absent in the first;
 * `live` means real money.
 */
export const Trade = Schema.Struct({
  ...marketFields,
  side: PositionSide,
  openedAt: Schema.Int,
  closedAt: Schema.Int,
  entryPrice: Schema.Number,
  exitPrice: Schema.Number,
  quantity: Decimal.Text,
  cost: Decimal.Text,
  proceeds: Decimal.Text,
  fees: Decimal.Text,
  pnl: Decimal.Text,
  profitPercent: Schema.Number,
  exitReason: ExitReason,
  entries: Schema.Int,
  exits: optional(Schema.Int),
  exitFills: optional(Schema.Array(ExitFill)),
  funding: optional(Decimal.Text),
  period: Schema.optionalWith(Schema.Int, { exact: true }),
  live: Schema.optionalWith(Schema.Literal(true), { exact: true })
})
export type Trade = typeof Trade.Type

/** The exit fills of a trade: the one that closed all where they are not listed. */
export const exitFillsOf = (trade: Trade): ReadonlyArray<ExitFill> =>
  trade.exitFills ?? [
    { at: trade.closedAt, price: trade.exitPrice, quantity: trade.quantity, reason: trade.exitReason }
  ]
