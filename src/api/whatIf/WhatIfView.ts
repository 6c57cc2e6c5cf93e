// The contract of a what-if: a strategy's life as it was, as its present settings make it of the recorded alerts and
// candles, and as changed settings would.
import * as Schema from "effect/Schema"
import { ExchangeName, MarketKind, Pair } from "../../domain/Market.ts"
import { ExitReason, PositionSide } from "../../domain/Order.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import { Body } from "../../domain/whatIf/WhatIfRequest.ts"
import { moment } from "../shared/Moment.ts"

/** A request for a what-if. */
export const WhatIfRequest = Body.annotations({ identifier: "WhatIfRequest" })
export type WhatIfRequest = typeof WhatIfRequest.Type

const amount = (description: string) => Schema.Number.annotations({ description })
const maybe = (description: string) => Schema.NullOr(Schema.Number).annotations({ description })

const Changes = Schema.Array(
  Schema.Struct({ setting: Schema.String, from: Schema.String, to: Schema.String })
).annotations({ description: "settings that differ, by their names in requests; no value is an empty text" })

/** A column of a what-if. */
const Side = Schema.Struct({
  net_pnl: amount("net result of completed trades"),
  trades: Schema.Int,
  open: Schema.Int.annotations({ description: "positions still open at the end, which count nowhere" }),
  win_rate_pct: Schema.Number,
  profit_factor: maybe("gains over losses; null where there was no loss"),
  max_drawdown_pct: amount("deepest drawdown of completed trades, 0 or negative"),
  fees_paid: Schema.Number,
  points: Schema.Array(Schema.Tuple(Schema.Number, Schema.Number)).annotations({
    description: "times and equity after each completed trade, thinned out to some 500"
  })
}).annotations({ identifier: "WhatIfSide" })

const TradeOfSide = Schema.NullOr(
  Schema.Struct({
    opened_at: moment("first entry fill"),
    closed_at: moment("last exit fill"),
    entry_price: Schema.Number,
    exit_price: Schema.Number,
    quantity: Schema.Number,
    pnl: Schema.Number,
    exit_reason: ExitReason
  })
)

const Luck = Schema.Struct({
  tries: Schema.Int.annotations({
    description: "changed settings that were tried on the stretch, these included; the newest 500 are counted"
  }),
  days: Schema.Int,
  trades: Schema.Int,
  sharpe: maybe("Sharpe ratio of a year of 365 days, marked to the market each day"),
  expected: amount("the ratio to expect of the luckiest of as many tries without skill"),
  lucky_net_pnl: amount("the net result that such a ratio would show"),
  deflated: maybe("the probability, 0 to 1, that these are better than that luckiest one"),
  low_net_pnl: maybe("of the same trades drawn anew many times, the 5th percentile of the net result"),
  high_net_pnl: maybe("the 95th percentile"),
  lines: Schema.Array(Schema.String).annotations({ description: "the same in sentences" }),
  verdict: Schema.Literal("too_few", "may_be_luck", "holds")
}).annotations({ identifier: "WhatIfLuck" })

/** The answer to a what-if. */
export const WhatIfView = Schema.Struct({
  strategy_id: StrategyId,
  name: Schema.String,
  mode: Schema.String.annotations({ description: "paper or live" }),
  currency: Schema.String,
  from: moment("beginning, at which nothing was held"),
  to: moment("end"),
  starting_balance: Schema.Number,
  changes: Changes,
  real: Side.annotations({ description: "what happened, by the books" }),
  present: Side.annotations({ description: "the test of the present settings" }),
  changed: Side.annotations({ description: "the test of the changed settings" }),
  trades: Schema.Array(
    Schema.Struct({
      exchange: ExchangeName,
      pair: Pair,
      kind: MarketKind,
      side: PositionSide,
      alert_id: Schema.Int,
      opened_at: moment("first entry fill, really or else in a test"),
      real: TradeOfSide,
      present: TradeOfSide,
      changed: TradeOfSide
    })
  ).annotations({ description: "by the alert that opened them; the last 500, oldest first" }),
  trades_total: Schema.Int,
  luck: Schema.NullOr(Luck).annotations({ description: "null where nothing was changed" }),
  tries: Schema.Array(
    Schema.Struct({
      at: moment("when it was tried"),
      changes: Changes,
      net_pnl: Schema.Number,
      trades: Schema.Int
    })
  ).annotations({ description: "what was tried on the stretch, newest first; the first 50" }),
  tries_total: Schema.Int,
  holes: Schema.Array(
    Schema.Struct({
      exchange: ExchangeName,
      pair: Pair,
      from: moment("first minute without candles"),
      to: moment("next minute with one")
    })
  ).annotations({ description: "the first 100" }),
  holes_total: Schema.Int,
  candles: Schema.Int,
  notices: Schema.Array(Schema.String)
}).annotations({ identifier: "WhatIf" })
export type WhatIfView = typeof WhatIfView.Type

/** The answer, or why there is none. */
export const WhatIfAnswer = Schema.Struct({
  what_if: Schema.NullOr(WhatIfView),
  reason: Schema.NullOr(Schema.String).annotations({ description: "why nothing can be tried" })
})
