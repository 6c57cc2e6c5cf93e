import * as Schema from "effect/Schema"
import * as Decimal from "./Decimal.ts"
import { ExitReason, marketFields, PositionSide } from "./Order.ts"

/**
 * One position from its first fill until it was flat. Prices are means over the fills (quote), `quantity` is
 * all that was entered (base). `cost` = entry notional + entry fees; `proceeds` is what came back to free cash;
 * `pnl` = proceeds - cost; `fees` holds both sides' fees; `entries` counts entry fills. Times in ms.
 * `period` is the bot's at the time, absent in its first; `live` says that real money was in it.
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
