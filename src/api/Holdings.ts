// Views of what a strategy holds: positions, waiting entries and the price levels of rules. Real money and paper are
// never added up.
import * as Schema from "effect/Schema"
import { ExchangeAccountId } from "../domain/Arming.ts"
import { ExchangeName, MarketKind, Pair } from "../domain/Market.ts"
import { PositionSide } from "../domain/Order.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import { Mode } from "./RealMoney.ts"
import { moment } from "./shared/Moment.ts"

const market = { exchange: ExchangeName, pair: Pair, kind: MarketKind }
const number = (description: string) => Schema.Number.annotations({ description })
const unknown = (description: string) => Schema.NullOr(Schema.Number).annotations({ description })

export const account = Schema.NullOr(ExchangeAccountId).annotations({
  description: "the exchange account that it is traded with; null on paper"
})

/** How a strategy trades, for a row of a list. */
export const TradingView = Schema.Struct({
  mode: Mode,
  account,
  stopped_today: Schema.Boolean.annotations({ description: "whether today has lost all that it may" }),
  astray: Schema.Int.annotations({
    description: "markets on which the exchange holds less than the books"
  })
}).annotations({ identifier: "Trading", description: "Whether a strategy trades with real money." })
export type TradingView = typeof TradingView.Type

/** A price level at which a rule acts. */
export const LevelView = Schema.Struct({
  rule: Schema.Literal(
    "stop_loss",
    "sl",
    "break_even",
    "take_profit",
    "tp",
    "trailing_arm",
    "trailing_sell",
    "dca",
    "liquidation",
    "trailing_buy"
  ),
  price: number("the price that it waits for"),
  from: Schema.NullOr(Schema.Int).annotations({
    description: "not before this time, seconds since the Unix epoch; null where it may act at once"
  }),
  step: Schema.NullOr(
    Schema.Struct({
      number: Schema.Int.annotations({ description: "which step it is, from 1", examples: [1] }),
      count: Schema.Int.annotations({ description: "of how many", examples: [3] }),
      quantity: number("what it closes, in the base asset"),
      closes_all: Schema.Boolean.annotations({ description: "whether nothing is left then" })
    })
  ).annotations({ description: "the step or target of a ladder that it is; null where it closes all" })
}).annotations({ identifier: "Level", description: "A price at which a rule would act." })
export type LevelView = typeof LevelView.Type

/** An open position, valued at the current price. */
export const PositionView = Schema.Struct({
  strategy_id: StrategyId,
  strategy_name: Schema.String,
  ...market,
  side: PositionSide,
  quantity: number("what is held, in the base asset"),
  entered: number("all that was entered; more than is held once a part is closed"),
  exits: Schema.Int.annotations({ description: "exit fills so far: parts that were closed" }),
  average: number("mean entry price"),
  entries: Schema.Int.annotations({ description: "entry fills so far" }),
  cost: number("entry notional and entry fees of what is held, in quote"),
  price: unknown("the price that closing now would get; null while none is known"),
  value: unknown("what closing now would bring back after the exit fee, in quote"),
  pnl: unknown("value minus cost, in quote"),
  profit_pct: unknown("the same over cost, percent"),
  opened_at: moment("first entry fill"),
  closes_at: Schema.NullOr(Schema.Int).annotations({
    description: "when auto close ends it, seconds since the Unix epoch; null where it does not"
  }),
  is_ordering: Schema.Boolean.annotations({ description: "whether an order of it is in flight" }),
  break_even: Schema.NullOr(
    Schema.Struct({
      after: Schema.Int.annotations({ description: "after how many steps the stop moves there" }),
      done: Schema.Int.annotations({ description: "steps that are done" }),
      price: number("where closing the rest nets zero, as things stand"),
      is_armed: Schema.Boolean.annotations({ description: "whether it is a stop already" })
    })
  ).annotations({ description: "the stop at break even that the settings want; null where they want none" }),
  levels: Schema.Array(LevelView).annotations({
    description: "all prices that rules wait for, those of steps to come included"
  }),
  account,
  stop: Schema.NullOr(
    Schema.Struct({
      price: number("the price that sets it off"),
      quantity: number("in base"),
      is_ending: Schema.Boolean.annotations({ description: "whether it is being taken back" })
    })
  ).annotations({ description: "the protective order that rests at the exchange" }),
  is_astray: Schema.Boolean.annotations({
    description: "whether the exchange holds less than this: nothing is done here any more"
  })
}).annotations({ identifier: "OpenPosition", description: "A position that is held now." })
export type PositionView = typeof PositionView.Type

/** A trailing buy that waits for the price to turn. */
export const ArmedView = Schema.Struct({
  ...market,
  side: PositionSide,
  extreme: number("the best price since it was armed"),
  level: number("the price at which it enters"),
  armed_at: moment("when it was armed"),
  tp: unknown("target that goes with it"),
  sl: unknown("stop that goes with it")
}).annotations({ identifier: "ArmedEntry", description: "A trailing buy that waits." })
export type ArmedView = typeof ArmedView.Type
