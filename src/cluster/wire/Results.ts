// The results of requests to a bot, as one node tells them another.
import * as Schema from "effect/Schema"
import { Reason } from "../../domain/Alert.ts"
import { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { Fill } from "../../domain/Fill.ts"
import { OrderId, PositionSide } from "../../domain/Order.ts"
import { ManualOutcome } from "../../domain/position/ManualOrder.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import { Market, orUndefined } from "./Fields.ts"

const ClosePlan = Schema.Struct({
  side: PositionSide,
  quantity: Decimal.Text,
  percent: Schema.Number,
  price: Schema.Number,
  notional: Decimal.Text,
  fee: Decimal.Text,
  proceeds: Decimal.Text,
  pnl: Decimal.Text,
  profitPercent: Schema.Number,
  left: Decimal.Text,
  closesAll: Schema.Boolean,
  isRestTooSmall: Schema.Boolean
})

/** What an order by hand led to, or would lead to. */
export const ManualResult = Schema.Struct({
  market: Market,
  isPreview: Schema.Boolean,
  outcome: ManualOutcome,
  text: Schema.String,
  isLive: Schema.Boolean,
  order: orUndefined(OrderId),
  plan: orUndefined(ClosePlan),
  fills: Schema.Array(Fill)
})

/** A response that was stored under its idempotency key. */
export const StoredAnswer = Schema.Struct({
  status: Schema.Int,
  location: orUndefined(Schema.String),
  body: Schema.String
})

/** What a strategy would do with an alert. */
export const Previewed = Schema.Struct({
  strategy: StrategyId,
  name: Schema.String,
  reason: orUndefined(Reason),
  text: Schema.String,
  steps: Schema.Array(Schema.String)
})

/** A bot's state, and the loss of its day so far. */
export const Stand = Schema.Struct({ state: BotState, lostToday: orUndefined(Decimal.Text) })

/** The statement that an owner agrees to, with its confirmation. */
export const Proposal = Schema.Struct({
  confirmation: Schema.String,
  expiresAt: Schema.Number,
  statement: Schema.String,
  warnings: Schema.Array(Schema.String)
})
