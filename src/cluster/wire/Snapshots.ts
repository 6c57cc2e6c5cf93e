// How a bot stands, as one node tells it another: what is computed on demand is computed by the owner.
import * as Schema from "effect/Schema"
import { Armed } from "../../domain/Arming.ts"
import { BotState, TrailingBuy } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { optional } from "../../domain/internal/Optional.ts"
import { QuoteCurrency } from "../../domain/Market.ts"
import { PositionSide } from "../../domain/Order.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import type { BotSnapshot } from "../../services/engine/prices/BotSnapshots.ts"
import { Tally } from "../../trading/Performance.ts"
import type { LevelRule } from "../../trading/rules/Levels.ts"
import { Market, orUndefined } from "./Fields.ts"

const RULES = [
  "liquidation",
  "stop_loss",
  "sl",
  "break_even",
  "tp",
  "trailing_arm",
  "trailing_sell",
  "take_profit",
  "dca",
  "trailing_buy"
] as const satisfies ReadonlyArray<LevelRule>

const Level = Schema.Struct({
  rule: Schema.Literal(...RULES),
  price: Schema.Number,
  from: optional(Schema.Number),
  step: optional(
    Schema.Struct({
      number: Schema.Number,
      count: Schema.Number,
      quantity: Decimal.Text,
      closesAll: Schema.Boolean
    })
  )
})

const Holding = Schema.Struct({
  market: Market,
  side: PositionSide,
  quantity: Decimal.Text,
  average: Schema.Number,
  entries: Schema.Number,
  cost: Decimal.Text,
  closing: optional(
    Schema.Struct({
      price: Schema.Number,
      value: Schema.Number,
      pnl: Schema.Number,
      percent: Schema.Number
    })
  ),
  openedAt: Schema.Number,
  closesAt: orUndefined(Schema.Number),
  isOrdering: Schema.Boolean,
  entered: Decimal.Text,
  exits: Schema.Number,
  breakEven: optional(
    Schema.Struct({
      after: Schema.Number,
      done: Schema.Number,
      price: Schema.Number,
      isArmed: Schema.Boolean
    })
  ),
  levels: Schema.Array(Level)
})

/** A snapshot with the strategy that it is of. */
export const Snapshot = Schema.Struct({
  strategy: StrategyId,
  quote: QuoteCurrency,
  cash: Decimal.Text,
  equity: Decimal.Text,
  openPnl: Schema.Number,
  holdings: Schema.Array(Holding),
  armed: Schema.Array(Schema.Struct({ market: Market, entry: TrailingBuy, level: Schema.Number })),
  coolingUntil: orUndefined(Schema.Number),
  live: optional(Armed),
  slots: BotState.fields.slots,
  tally: Tally,
  period: Schema.Number,
  pairPrices: Schema.Array(Schema.Struct({ name: Schema.String, price: orUndefined(Schema.Number) }))
})
export type Snapshot = typeof Snapshot.Type

/** Computes what a snapshot computes on demand. */
export const sent = (strategy: StrategyId, snapshot: BotSnapshot): Snapshot => ({
  ...snapshot,
  strategy,
  holdings: snapshot.holdings.map((holding) => ({ ...holding, levels: holding.levels() })),
  pairPrices: snapshot.pairPrices()
})

/** The snapshot that another node sent. */
export const received = ({ strategy: _, ...snapshot }: Snapshot): BotSnapshot => ({
  ...snapshot,
  holdings: snapshot.holdings.map(({ levels, ...holding }) => ({ ...holding, levels: () => levels })),
  pairPrices: () => snapshot.pairPrices
})
