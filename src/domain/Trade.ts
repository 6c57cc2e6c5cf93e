// A trade: one position from its first fill until it is flat. pnl = proceeds - cost, net of all fees.
import * as Schema from "effect/Schema"
import * as Decimal from "./Decimal.ts"
import { ExitReason, marketFields, PositionSide } from "./Order.ts"

/**
 * A completed position. Prices are means over the fills (quote), `quantity` is everything entered (base). `cost` =
 * entry notional + entry fees; `proceeds` is what returned to free cash; `pnl` = proceeds - cost; `fees` are those of
 * entries and exits; `entries` counts entry fills. Times in ms. `period` is the bot's period, absent in the first;
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
  period: Schema.optionalWith(Schema.Int, { exact: true }),
  live: Schema.optionalWith(Schema.Literal(true), { exact: true })
})
export type Trade = typeof Trade.Type
