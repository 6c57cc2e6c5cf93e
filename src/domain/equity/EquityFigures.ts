// Figures of a strategy as they are answered. Those under `marked` come from equity marked to the market, those under
// `completed` from completed trades only.
import * as Schema from "effect/Schema"
import { ExchangeName, MarketKind, Pair } from "../Market.ts"
import { ExitReason } from "../Order.ts"

const figure = (description: string) => Schema.Number.annotations({ description })
const figureOrNone = (description: string) => Schema.NullOr(Schema.Number).annotations({ description })
const count = (description: string) => Schema.Int.annotations({ description })

/** Figures of equity marked to the market, but for the longest drawdown. */
const markedFields = {
  starting_equity: figure("equity at the start of the period"),
  equity: figure("cash plus open positions at the last price"),
  return_pct: figure(
    "equity over starting_equity, minus 1, percent; 0 where nothing was there to begin with"
  ),
  max_drawdown_pct: figure("largest fall from the highest equity so far, percent; 0 or negative"),
  drawdown_now_pct: figure("fall from the highest equity to the present one, percent; 0 or negative")
}
const longestFields = {
  longest_drawdown_seconds: count(
    "longest time below an earlier peak; one that goes on counts until the last sample"
  ),
  longest_drawdown_recovered: Schema.Boolean.annotations({
    description: "whether the longest drawdown has ended; true where there was none"
  })
}
const exposureFields = {
  exposure_pct: figure("mean worth of open positions over equity, percent"),
  time_in_market_pct: figure("share of samples with an open position, percent"),
  hold_return_pct: figureOrNone(
    "return of buying the strategy's pairs in equal parts and holding them, percent"
  ),
  annual_return_pct: figureOrNone("return of a year at the same pace, percent; null under 30 days"),
  sharpe: figureOrNone("mean over standard deviation of daily returns, times the square root of 365"),
  sortino: figureOrNone("the same over the deviation of losing days only"),
  calmar: figureOrNone("annual return over the largest drawdown")
}
const fields: typeof markedFields & typeof longestFields & typeof exposureFields = {
  ...markedFields,
  ...longestFields,
  ...exposureFields
}
/** The schema of the figures of equity marked to the market. */
export interface MarkedFiguresSchema extends Schema.Struct<typeof fields> {}
/** Figures of equity marked to the market. Percentages and ratios are rounded to 4 decimals, money to 8. */
export const MarkedFigures: MarkedFiguresSchema = Schema.Struct(fields)
export type MarkedFigures = typeof MarkedFigures.Type

const groupFields = {
  trades: count("completed trades"),
  wins: count("trades with a net profit"),
  net_pnl: figure("net result of the trades"),
  fees: figure("fees of the trades")
}
/** The completed trades of one market. */
export const PairGroup = Schema.Struct({
  exchange: ExchangeName,
  pair: Pair,
  kind: MarketKind,
  ...groupFields
})
/** The completed trades that closed for one reason. */
export const ExitReasonGroup = Schema.Struct({ exit_reason: ExitReason, ...groupFields })
/** The trades that closed in one month (UTC). */
export const MonthGroup = Schema.Struct({
  month: Schema.String.annotations({ description: "YYYY-MM, by when trades closed" }),
  ...groupFields
})
export type PairGroup = typeof PairGroup.Type
export type ExitReasonGroup = typeof ExitReasonGroup.Type
export type MonthGroup = typeof MonthGroup.Type

/** Figures of completed trades. */
export const CompletedFigures = Schema.Struct({
  trades: count("completed trades"),
  expectancy: figure("mean net result of a trade; 0 without trades"),
  expectancy_ratio: figureOrNone(
    "(1 + average win over average loss) times the share of wins, minus 1; null without wins or losses"
  ),
  by_pair: Schema.Array(PairGroup),
  by_exit_reason: Schema.Array(ExitReasonGroup),
  by_month: Schema.Array(MonthGroup)
})
export type CompletedFigures = typeof CompletedFigures.Type

/** All figures of a strategy in one period. Times in seconds. */
export const EquityFigures = Schema.Struct({
  currency: Schema.String,
  since: count("start of the period, seconds since the Unix epoch"),
  until: count("last sample, seconds since the Unix epoch"),
  samples: count("samples of equity"),
  marked: MarkedFigures,
  completed: CompletedFigures
})
export type EquityFigures = typeof EquityFigures.Type

/** A point of a curve: time, equity, drawdown (percent), and what holding the pairs would be worth. */
export const EquityPoint = Schema.Tuple(
  Schema.Number,
  Schema.Number,
  Schema.Number,
  Schema.NullOr(Schema.Number)
)
export type EquityPoint = typeof EquityPoint.Type
