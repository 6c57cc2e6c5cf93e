// The performance summary of a strategy as it is answered: completed trades only, net of fees, in its quote currency,
// by UTC days.
import * as Schema from "effect/Schema"

const figure = (description: string) => Schema.Number.annotations({ description })
const Day = Schema.String.annotations({
  description: "UTC date, YYYY-MM-DD",
  jsonSchema: { type: "string", format: "date" }
})

/** Figures by name; null where there is none. */
const Extra = Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.Finite) })

/** The figures. Percentages are rounded to 4 decimals and money to 8. */
export const Summary = Schema.Struct({
  period: Schema.Struct({ start: Day, end: Day, timezone: Schema.Literal("UTC") }),
  starting_equity: figure("balance when the strategy started"),
  ending_equity: figure("starting equity plus the net result of all completed trades"),
  net_pnl: figure("ending_equity minus starting_equity"),
  roi_pct: figure("net_pnl over starting_equity, percent; 0 when nothing was there to begin with"),
  max_drawdown_pct: figure("largest fall from a peak of the equity after each trade, percent; 0 or negative"),
  win_rate_pct: figure("trades with a profit over all trades, percent; 0 without trades"),
  profit_factor: Schema.NullOr(Schema.Number).annotations({
    description: "gross profit over gross loss; 0 without winners, null with winners and no losers"
  }),
  trade_count: Schema.Int.annotations({ description: "completed trades" }),
  avg_trade: figure("mean result of a trade"),
  avg_hold_time_min: Schema.Int.annotations({
    description: "mean minutes from first entry fill to last exit fill"
  }),
  best_trade: figure("largest result of a trade, at least 0"),
  worst_trade: figure("smallest result of a trade, at most 0"),
  fees_paid: figure("all fees"),
  volatility_pct: figure("sample standard deviation of daily returns, percent; not annualised"),
  figures: Schema.optionalWith(
    Extra.annotations({ description: "the same as `extra`, where only a summary is shown" }),
    { exact: true }
  )
})
export type Summary = typeof Summary.Type

/** The `performance` object of a strategy. */
export const Performance = Schema.Struct({
  summary: Summary,
  extra: Schema.optionalWith(
    Extra.annotations({ description: "figures that an app has added, by name; absent where it has none" }),
    { exact: true }
  )
})
export type Performance = typeof Performance.Type

/** The performance with this summary. */
export const performanceOf = (summary: Summary): Performance =>
  summary.figures === undefined ? { summary } : { summary, extra: summary.figures }
