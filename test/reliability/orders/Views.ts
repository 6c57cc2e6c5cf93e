// The API's responses and the rows that the cases read.
import * as Schema from "effect/Schema"
import { ComparisonView } from "../../../src/api/Backtests.ts"
import { BotState } from "../../../src/domain/Bot.ts"
import { Fill } from "../../../src/domain/Fill.ts"
import { Order, OrderStatus } from "../../../src/domain/Order.ts"
import { Trade } from "../../../src/domain/Trade.ts"

export const Outcomes = Schema.Struct({
  outcomes: Schema.Array(Schema.Struct({ strategy_id: Schema.Int, reason: Schema.String }))
})
export const Mode = Schema.Struct({
  mode: Schema.Literal("paper", "live", "leaving"),
  armed: Schema.NullOr(
    Schema.Struct({ lost_today: Schema.NullOr(Schema.Number), stopped_today: Schema.Boolean })
  ),
  astray: Schema.Array(Schema.String),
  confirmation: Schema.NullOr(Schema.Struct({ token: Schema.String, statement: Schema.String }))
})
export type Mode = typeof Mode.Type
export const Timeline = Schema.Struct({
  data: Schema.Array(Schema.Struct({ rule: Schema.String, text: Schema.String }))
})
export const OrderViews = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      ...{ client_id: Schema.NullOr(Schema.String), side: Schema.String, status: Schema.String },
      ...{ live: Schema.Boolean, quantity: Schema.Number, filled: Schema.Number },
      fills: Schema.Array(
        Schema.Struct({
          ...{ id: Schema.String, quantity: Schema.Number, price: Schema.Number },
          ...{ fee: Schema.Number, fee_asset: Schema.String, fee_amount: Schema.Number }
        })
      )
    })
  )
})
export type OrderView = (typeof OrderViews.Type)["data"][number]
export const Figures = Schema.Struct({
  performance: Schema.Struct({
    summary: Schema.Struct({
      starting_equity: Schema.Number,
      net_pnl: Schema.Number,
      fees_paid: Schema.Number
    })
  })
})

/** Null where there is nothing to compare. */
export const Compared = Schema.Struct({ comparison: Schema.NullOr(ComparisonView) })

export const Accounts = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String }))
})
export const StateRow = Schema.Struct({ state: Schema.parseJson(BotState) })
export const TradeRow = Schema.Struct({ trade: Schema.parseJson(Trade) })
export const FillRow = Schema.Struct({ fill: Schema.parseJson(Fill) })
export const OrderRow = Schema.Struct({ intent: Schema.parseJson(Order), status: OrderStatus })
export const IntentRow = Schema.Struct({ intent: Schema.parseJson(Order) })
