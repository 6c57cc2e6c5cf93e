// The chart of a signal's rule on one of its markets, as its owner sees it.
import * as Schema from "effect/Schema"
import { AlertType } from "../../domain/Alert.ts"
import { TIMEFRAMES } from "../../domain/candles/Timeframe.ts"
import { ExchangeName, MarketKind, Pair } from "../../domain/Market.ts"

const number = (description: string) => Schema.Number.annotations({ description })
const orNull = (description: string) => Schema.NullOr(Schema.Number).annotations({ description })

const CandleTuple = Schema.Tuple(Schema.Number, Schema.Number, Schema.Number, Schema.Number, Schema.Number)

const RuleLineView = Schema.Struct({
  text: Schema.String.annotations({ description: "as it is written" }),
  scale: Schema.String.annotations({
    description:
      "price for a line among the candles; lines of any other scale share a panel with those of the same"
  }),
  is_target: Schema.Boolean.annotations({
    description: "whether it is a price of the alert, such as its stop, and no part of a condition"
  }),
  values: Schema.Array(Schema.NullOr(Schema.Number)).annotations({
    description: "its value at each candle, that of the one under way last; null where it has none"
  })
}).annotations({ identifier: "RuleLine", description: "A number that a rule names, at each candle." })

const RuleFireView = Schema.Struct({
  at: number("the close of its candle, seconds since the Unix epoch"),
  candle: number("the start of its candle, seconds since the Unix epoch"),
  by: Schema.String.annotations({ description: "the entry of the rule, as on[0]" }),
  type: AlertType,
  close: number("the candle's close"),
  values: Schema.Array(
    Schema.Struct({ text: Schema.String, value: orNull("null where it had none") })
  ).annotations({ description: "the numbers that decided it" }),
  missing: Schema.Array(Schema.String).annotations({
    description: "prices and sizes of the alert that had no value"
  }),
  withheld: Schema.Boolean.annotations({
    description: "whether no alert is raised, since one of them is missing"
  })
}).annotations({ identifier: "RuleFire", description: "A candle at which a rule fires." })

const RulePresentView = Schema.Struct({
  by: Schema.String,
  type: AlertType,
  when: Schema.String,
  holds: Schema.Boolean.annotations({ description: "whether the condition holds at the last closed candle" }),
  holds_forming: Schema.NullOr(Schema.Boolean).annotations({
    description: "whether it would hold if the candle under way closed now; null while there is none"
  }),
  values: Schema.Array(
    Schema.Struct({
      text: Schema.String,
      closed: orNull("at the last closed candle"),
      forming: orNull("at the candle under way")
    })
  )
}).annotations({ identifier: "RulePresent", description: "An entry of a rule at present." })

/** The chart of a rule on one market. */
export const RuleChartView = Schema.Struct({
  market: Schema.Struct({ exchange: ExchangeName, pair: Pair, kind: MarketKind }),
  timeframe: Schema.Literal(...TIMEFRAMES),
  source: Schema.Literal("recorded", "replay", "live", "exchange", "none").annotations({
    description:
      "where the candles come from, as in a strategy's chart; exchange where too few were stored, and it was asked for them"
  }),
  candles: Schema.Array(CandleTuple).annotations({
    description: "[time in seconds, open, high, low, close] of closed candles, times ascending"
  }),
  forming: Schema.NullOr(CandleTuple).annotations({ description: "the candle under way, if it has begun" }),
  lines: Schema.Array(RuleLineView),
  fires: Schema.Array(RuleFireView),
  entries: Schema.Array(RulePresentView),
  ready_at: orNull(
    "the close of the first candle at which the rule was warm; null where the candles are too few"
  ),
  needs: Schema.Array(
    Schema.Struct({
      timeframe: Schema.String,
      candles: Schema.Int.annotations({ description: "how many must have come before anything is raised" }),
      anchored: Schema.Boolean.annotations({
        description: "whether something remembers everything since its first candle"
      })
    })
  )
}).annotations({ identifier: "RuleChart", description: "The chart of a signal's rule on one market." })
export type RuleChartView = typeof RuleChartView.Type
