// How much of a Sharpe ratio may be luck: of one record, and of the best of many trials. All ratios are of one period
// (a day), not of a year.
import { shareBelow, valueAt } from "./Normal.ts"

/** The Euler-Mascheroni constant. */
const EULER = 0.577_215_664_901_532_9

/**
 * The returns of a record, a number for each period: how many, mean over standard deviation, skewness (0 if symmetric)
 * and kurtosis (3 if normal).
 */
export interface Returns {
  readonly count: number
  readonly sharpe: number
  readonly skewness: number
  readonly kurtosis: number
}

/** Measures returns; undefined for fewer than two, or where all are equal. Moments over n, the deviation over n - 1. */
export const returnsOf = (returns: ArrayLike<number>): Returns | undefined => {
  const count = returns.length
  if (count < 2) return undefined
  let mean = 0
  for (let at = 0; at < count; at++) mean += (returns[at] ?? 0) / count
  let [second, third, fourth] = [0, 0, 0]
  for (let at = 0; at < count; at++) {
    const deviation = (returns[at] ?? 0) - mean
    second += deviation ** 2
    third += deviation ** 3
    fourth += deviation ** 4
  }
  if (!(second > count * NO_VARIANCE)) return undefined
  const variance = second / count
  return {
    count,
    sharpe: mean / Math.sqrt(second / (count - 1)),
    skewness: third / count / variance ** 1.5,
    kurtosis: fourth / count / variance ** 2
  }
}

/** A variance below this counts as none. */
const NO_VARIANCE = 1e-24

/**
 * The probability that the true Sharpe ratio is above `than`, from 0 to 1 (Bailey and López de Prado, "The Sharpe Ratio
 * Efficient Frontier", 2012, equation 9).
 */
export const probabilityAbove = (returns: Returns, than: number): number => {
  const { count, sharpe } = returns
  return shareBelow(((sharpe - than) * Math.sqrt(count - 1)) / deviationOf(returns))
}

/**
 * The Sharpe ratio to expect of the best of `trials` that have no skill, `variance` being that of the trials' ratios
 * (Bailey and López de Prado, "The Deflated Sharpe Ratio", 2014, equation 2). 0 for a single trial.
 */
export const expectedBest = (trials: number, variance: number): number => {
  if (trials < 2) return 0
  const common = (1 - EULER) * valueAt(1 - 1 / trials)
  return Math.sqrt(variance) * (common + EULER * valueAt(1 - 1 / (trials * Math.E)))
}

/** The deflated Sharpe ratio: the probability that the best of `trials` is better than luck, from 0 to 1. */
export const deflated = (returns: Returns, trials: number, variance: number): number =>
  probabilityAbove(returns, expectedBest(trials, variance))

/**
 * The least number of periods after which a Sharpe ratio as this one is above 0 with `confidence` (2012, equation 11);
 * undefined where the ratio is not above 0, as no record is long enough then.
 */
export const leastPeriods = (returns: Returns, confidence: number): number | undefined =>
  returns.sharpe > 0
    ? Math.ceil(1 + (deviationOf(returns) * (valueAt(confidence) / returns.sharpe)) ** 2)
    : undefined

/** sqrt(1 - skewness SR + (kurtosis - 1)/4 SR^2). No real sample makes it negative; rounding might. */
const deviationOf = ({ kurtosis, sharpe, skewness }: Returns): number =>
  Math.sqrt(Math.max(Number.MIN_VALUE, 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2))

/** The sample variance (n - 1); 0 for fewer than two values. */
export const varianceOf = (values: ArrayLike<number>): number => {
  const count = values.length
  if (count < 2) return 0
  let mean = 0
  for (let at = 0; at < count; at++) mean += (values[at] ?? 0) / count
  let squares = 0
  for (let at = 0; at < count; at++) squares += ((values[at] ?? 0) - mean) ** 2
  return squares / (count - 1)
}
