// The indicators that are made of others, by TradingView's conventions. Those that stand for themselves are in the files
// beside this one.
import { combine, history } from "./Arithmetic.ts"
import { ema, rma, strength } from "./Averages.ts"
import type { Plan } from "./Plan.ts"
import { movement, trueRange } from "./Ranges.ts"
import { at, HERE, isValue, put, type Series, stateless } from "./Series.ts"
import { bands, direction } from "./Trends.ts"
import { flow, vwap } from "./Volumes.ts"
import { highest, lowest, meanDeviation, stdev, sum } from "./Windows.ts"

/** Outputs of an indicator, by name. */
export type Outputs = Readonly<Record<string, Series>>

/** hl2, hlc3 and ohlc4: the average of some prices of a candle. */
export const middle = (plan: Plan, prices: ReadonlyArray<"open" | "high" | "low" | "close">): Series => {
  const [first, ...others] = prices
  const total = others.reduce(
    (all, price) => combine(plan, "+", all, plan.field(price)),
    plan.field(first ?? "close")
  )
  return combine(plan, "/", total, plan.constant(prices.length))
}

const times = (plan: Plan, of: Series, factor: number): Series =>
  combine(plan, "*", of, plan.constant(factor))

/** Simple moving average. */
export const sma = (plan: Plan, source: Series, length: number): Series =>
  combine(plan, "/", sum(plan, source, length), plan.constant(length))

/** The lengths of MACD. */
export interface MacdLengths {
  readonly fast: number
  readonly slow: number
  readonly signal: number
}

/** The fast EMA less the slow one, an EMA of that as signal, and the difference of the two. */
export const macd = (plan: Plan, source: Series, lengths: MacdLengths): Outputs => {
  const line = combine(plan, "-", ema(plan, source, lengths.fast), ema(plan, source, lengths.slow))
  const signal = ema(plan, line, lengths.signal)
  return { line, signal, histogram: combine(plan, "-", line, signal) }
}

/** Bollinger bands: `factor` deviations of a population around the average. `width` is in percent of the middle. */
export const bollinger = (plan: Plan, source: Series, length: number, factor: number): Outputs => {
  const average = sma(plan, source, length)
  const distance = times(plan, stdev(plan, source, length), factor)
  const upper = combine(plan, "+", average, distance)
  const lower = combine(plan, "-", average, distance)
  const width = combine(plan, "-", upper, lower)
  return {
    middle: average,
    upper,
    lower,
    width: times(plan, combine(plan, "/", width, average), 100),
    percent_b: combine(plan, "/", combine(plan, "-", source, lower), width)
  }
}

/** Average true range: Wilder's average of it. */
export const atr = (plan: Plan, length: number): Series => rma(plan, trueRange(plan), length)

/**
 * Wilder's directional movement: the two indicators, and ADX, the average of their relative distance. The first candle,
 * which has no movement, is left out of all averages. Where both indicators are 0 their distance is 0.
 */
export const dmi = (plan: Plan, length: number, smoothing: number): Outputs => {
  const range = rma(plan, trueRange(plan, false), length)
  const indicator = (up: boolean) =>
    times(plan, combine(plan, "/", rma(plan, movement(plan, up), length), range), 100)
  const plus = indicator(true)
  const minus = indicator(false)
  return { plus_di: plus, minus_di: minus, adx: rma(plan, apart(plan, plus, minus), smoothing) }
}

/** The distance of two indicators in percent of their sum; 0 where both are 0. */
const apart = (plan: Plan, plus: Series, minus: Series): Series =>
  plan.series({ key: "dx", inputs: [plus, minus], reach: HERE }, (out) =>
    stateless((from, to) => {
      for (let row = from; row < to; row++) {
        const whole = at(plus.ring, row) + at(minus.ring, row)
        const distance = Math.abs(at(plus.ring, row) - at(minus.ring, row))
        put(out, row, whole === 0 ? 0 : (100 * distance) / whole)
      }
    })
  )

/** What `stoch` compares. */
export interface Stochastic {
  readonly source: Series
  readonly high: Series
  readonly low: Series
}

/** Where the source lies between the lowest low (0) and the highest high (100): the fast K. Average it for K, that for D. */
export const stoch = (plan: Plan, of: Stochastic, length: number): Series => {
  const bottom = lowest(plan, of.low, length)
  const range = combine(plan, "-", highest(plan, of.high, length), bottom)
  return times(plan, combine(plan, "/", combine(plan, "-", of.source, bottom), range), 100)
}

/** Commodity channel index: the distance from the average, in 0.015 mean deviations. */
export const cci = (plan: Plan, source: Series, length: number): Series => {
  const average = sma(plan, source, length)
  const deviation = times(plan, meanDeviation(plan, source, average, length), 0.015)
  return combine(plan, "/", combine(plan, "-", source, average), deviation)
}

/** Money flow index: what flowed in, in percent of what flowed in and out; 100 where nothing flowed out. */
export const mfi = (plan: Plan, source: Series, length: number): Series => {
  const gains = sum(plan, flow(plan, source, true), length)
  const losses = sum(plan, flow(plan, source, false), length)
  return plan.series({ key: "strength", inputs: [gains, losses], reach: HERE }, (out) =>
    stateless((from, to) => {
      for (let row = from; row < to; row++) {
        const loss = at(losses.ring, row)
        put(out, row, isValue(loss) ? strength(at(gains.ring, row), loss) : Number.NaN)
      }
    })
  )
}

/** The volume-weighted average price of each UTC day, with `factor` deviations above and below. */
export const averagePrice = (plan: Plan, source: Series, factor: number): Outputs => {
  const value = vwap(plan, source, "mean")
  const distance = times(plan, vwap(plan, source, "deviation"), factor)
  return {
    value,
    upper: combine(plan, "+", value, distance),
    lower: combine(plan, "-", value, distance)
  }
}

/** The highest high and the lowest low, the present candle included, and their middle. */
export const donchian = (plan: Plan, length: number): Outputs => {
  const upper = highest(plan, plan.field("high"), length)
  const lower = lowest(plan, plan.field("low"), length)
  return { upper, lower, middle: times(plan, combine(plan, "+", upper, lower), 0.5) }
}

/** Keltner channels: an EMA, and `factor` EMAs of the true range above and below; the first candle has no range. */
export const keltner = (plan: Plan, source: Series, length: number, factor: number): Outputs => {
  const average = ema(plan, source, length)
  const distance = times(plan, ema(plan, trueRange(plan, false), length), factor)
  return {
    middle: average,
    upper: combine(plan, "+", average, distance),
    lower: combine(plan, "-", average, distance)
  }
}

/** Supertrend: the lower band while it rises, the upper one while it falls. `direction` has Pine's signs: -1 rises. */
export const supertrend = (plan: Plan, factor: number, length: number): Outputs => {
  const distance = times(plan, atr(plan, length), factor)
  const centre = middle(plan, ["high", "low"])
  const above = combine(plan, "+", centre, distance)
  const below = combine(plan, "-", centre, distance)
  const { lower, upper } = bands(plan, above, below)
  const turned = direction(plan, upper, lower)
  return { line: lineOf(plan, turned, upper, lower), direction: turned }
}

const lineOf = (plan: Plan, turned: Series, upper: Series, lower: Series): Series =>
  plan.series({ key: "supertrend", inputs: [turned, upper, lower], reach: HERE }, (out) =>
    stateless((from, to) => {
      for (let row = from; row < to; row++)
        put(out, row, at(turned.ring, row) < 0 ? at(lower.ring, row) : at(upper.ring, row))
    })
  )

/** The source less that of `length` candles ago. */
export const change = (plan: Plan, source: Series, length: number): Series =>
  combine(plan, "-", source, history(plan, source, length))

/** The same in percent of the earlier one. */
export const roc = (plan: Plan, source: Series, length: number): Series =>
  times(plan, combine(plan, "/", change(plan, source, length), history(plan, source, length)), 100)

/** True where the source is above each of the `length` values before it; below them without `up`. */
export const advancing = (plan: Plan, source: Series, length: number, up: boolean): Series => {
  const extreme = up ? highest(plan, source, length) : lowest(plan, source, length)
  return combine(plan, up ? ">" : "<", source, history(plan, extreme, 1))
}
