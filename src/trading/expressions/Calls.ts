// The functions of expressions as indicators: which one each name stands for.
import type { IndicatorName } from "../../domain/expression/Functions.ts"
import { absolute, combine, history, type Operator } from "../indicators/Arithmetic.ts"
import { ema, rma, rsi } from "../indicators/Averages.ts"
import { cross, crossing, since } from "../indicators/Crossings.ts"
import * as Indicators from "../indicators/Indicators.ts"
import type { Plan } from "../indicators/Plan.ts"
import { trueRange } from "../indicators/Ranges.ts"
import type { Series } from "../indicators/Series.ts"
import { sar } from "../indicators/Trends.ts"
import { obv } from "../indicators/Volumes.ts"
import { highest, lowest, stdev, wma } from "../indicators/Windows.ts"

/** The inputs of a call: those that change from candle to candle as series, the others as numbers. */
export interface Inputs {
  readonly plan: Plan
  readonly all: ReadonlyArray<Series>
  readonly series: (index: number) => Series
  readonly number: (index: number) => number
  /** The output that is meant, of several. */
  readonly output: (outputs: Indicators.Outputs) => Series
}

type Build = (inputs: Inputs) => Series

const chained =
  (operator: Operator): Build =>
  ({ all, plan, series }) =>
    all.slice(1).reduce((one, other) => combine(plan, operator, one, other), series(0))

const AVERAGES = {
  sma: ({ number, plan, series }) => Indicators.sma(plan, series(0), number(1)),
  ema: ({ number, plan, series }) => ema(plan, series(0), number(1)),
  wma: ({ number, plan, series }) => wma(plan, series(0), number(1)),
  rma: ({ number, plan, series }) => rma(plan, series(0), number(1)),
  stdev: ({ number, plan, series }) => stdev(plan, series(0), number(1)),
  avg: (inputs) => {
    const total = inputs.all
      .slice(1)
      .reduce((one, other) => combine(inputs.plan, "+", one, other), inputs.series(0))
    return combine(inputs.plan, "/", total, inputs.plan.constant(inputs.all.length))
  }
} satisfies Partial<Record<IndicatorName, Build>>

const OSCILLATORS = {
  rsi: ({ number, plan, series }) => rsi(plan, series(0), number(1)),
  macd: ({ number, output, plan, series }) =>
    output(Indicators.macd(plan, series(0), { fast: number(1), slow: number(2), signal: number(3) })),
  stoch: ({ number, plan, series }) =>
    Indicators.stoch(plan, { source: series(0), high: series(1), low: series(2) }, number(3)),
  cci: ({ number, plan, series }) => Indicators.cci(plan, series(0), number(1)),
  mfi: ({ number, plan, series }) => Indicators.mfi(plan, series(0), number(1)),
  roc: ({ number, plan, series }) => Indicators.roc(plan, series(0), number(1)),
  mom: ({ number, plan, series }) => Indicators.change(plan, series(0), number(1)),
  change: ({ number, plan, series }) => Indicators.change(plan, series(0), number(1))
} satisfies Partial<Record<IndicatorName, Build>>

const RANGES = {
  tr: ({ number, plan }) => trueRange(plan, number(0) === 1),
  atr: ({ number, plan }) => Indicators.atr(plan, number(0)),
  bb: ({ number, output, plan, series }) =>
    output(Indicators.bollinger(plan, series(0), number(1), number(2))),
  keltner: ({ number, output, plan, series }) =>
    output(Indicators.keltner(plan, series(0), number(1), number(2))),
  donchian: ({ number, output, plan }) => output(Indicators.donchian(plan, number(0))),
  highest: ({ number, plan, series }) => highest(plan, series(0), number(1)),
  lowest: ({ number, plan, series }) => lowest(plan, series(0), number(1)),
  dmi: ({ number, output, plan }) => output(Indicators.dmi(plan, number(0), number(1))),
  supertrend: ({ number, output, plan }) => output(Indicators.supertrend(plan, number(0), number(1))),
  sar: ({ number, plan }) => sar(plan, { start: number(0), increment: number(1), max: number(2) }),
  obv: ({ plan }) => obv(plan),
  vwap: ({ number, output, plan, series }) => output(Indicators.averagePrice(plan, series(0), number(1)))
} satisfies Partial<Record<IndicatorName, Build>>

const CONDITIONS = {
  crossover: ({ plan, series }) => crossing(plan, series(0), series(1), true),
  crossunder: ({ plan, series }) => crossing(plan, series(0), series(1), false),
  cross: ({ plan, series }) => cross(plan, series(0), series(1)),
  rising: ({ number, plan, series }) => Indicators.advancing(plan, series(0), number(1), true),
  falling: ({ number, plan, series }) => Indicators.advancing(plan, series(0), number(1), false),
  barssince: ({ plan, series }) => since(plan, series(0)),
  abs: ({ plan, series }) => absolute(plan, series(0)),
  min: chained("min"),
  max: chained("max")
} satisfies Partial<Record<IndicatorName, Build>>

/** What each function builds; `request` has a plan of its own and is built elsewhere. */
export const CALLS: Readonly<Record<IndicatorName, Build>> = {
  ...AVERAGES,
  ...OSCILLATORS,
  ...RANGES,
  ...CONDITIONS
}

/** History of a number or a condition, which is false before the first candle. */
export const earlier = (plan: Plan, of: Series, rows: number, isCondition: boolean): Series =>
  history(plan, of, rows, isCondition ? 0 : Number.NaN)
