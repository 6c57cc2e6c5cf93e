// The curves and candles of charts. Each has a bounded number of points, and thinning keeps the peaks and lows.
import * as Schema from "effect/Schema"
import { EquityFigures, EquityPoint } from "../domain/equity/EquityFigures.ts"
import { ExitReason, OrderPurpose, OrderSide } from "../domain/Order.ts"
import { FillRole } from "../domain/position/FillRole.ts"

const number = (description: string) => Schema.Number.annotations({ description })

/** The most points of one curve, and the default. */
export const MAX_POINTS = 5000
export const DEFAULT_POINTS = 1000

/** The equity after each completed trade. */
export const EquityCurve = Schema.Struct({
  currency: Schema.String,
  starting_equity: number("equity before the first trade"),
  trades: Schema.Int.annotations({ description: "trades that the whole curve is made of" }),
  points: Schema.Array(Schema.Tuple(Schema.Number, Schema.Number, Schema.Number)).annotations({
    description:
      "[time in seconds, equity, drawdown from the running peak in percent (0 or negative)], times ascending"
  })
}).annotations({ identifier: "EquityCurve" })
export type EquityCurve = typeof EquityCurve.Type

/** Figures of a strategy, and equity marked to the market over time. */
export const FiguresAndCurve = Schema.Struct({
  figures: EquityFigures,
  points: Schema.Array(EquityPoint).annotations({
    description:
      "[time in seconds, equity, drawdown in percent, worth of buying and holding], times ascending; the first is the start"
  })
}).annotations({ identifier: "StrategyFigures" })
export type FiguresAndCurve = typeof FiguresAndCurve.Type

/** A fill on a price chart. */
export const MarkerView = Schema.Struct({
  at: number("seconds since the Unix epoch"),
  purpose: OrderPurpose,
  role: FillRole.annotations({
    description:
      "what it did: open a position, add to it by a further alert, average it down (DCA), turn to this side, close a part, close what is left"
  }),
  side: OrderSide,
  price: number("mean price of the fill"),
  quantity: number("in the base asset"),
  exit_reason: Schema.NullOr(ExitReason)
}).annotations({ identifier: "ChartMarker", description: "A fill." })
export type MarkerView = typeof MarkerView.Type

/** Candles of one market, with the strategy's fills as markers. */
export const PriceChart = Schema.Struct({
  source: Schema.Literal("recorded", "replay", "live", "none").annotations({
    description:
      "where the candles come from: recorded files, the replay up to now, this server's prices since it started, or nowhere"
  }),
  interval_seconds: Schema.Int.annotations({ description: "the length of a candle" }),
  candles: Schema.Array(
    Schema.Tuple(Schema.Number, Schema.Number, Schema.Number, Schema.Number, Schema.Number)
  ).annotations({
    description: "[time in seconds, open, high, low, close], times ascending, holes left as holes"
  }),
  markers: Schema.Array(MarkerView).annotations({
    description: "fills, oldest first; the latest 500 of the range"
  }),
  markers_total: Schema.Int
}).annotations({ identifier: "PriceChart" })
export type PriceChart = typeof PriceChart.Type
