// How much of a sweep's first place may be luck: all measures together, and the verdict that decides its words.
import { BLOCK_WIDTH, blocksFor, lengthsOf, sharpeOf } from "./Blocks.ts"
import * as Bootstrap from "./Bootstrap.ts"
import * as Overfitting from "./Overfitting.ts"
import * as Sharpe from "./Sharpe.ts"

/** The trial in first place: its daily returns, and its trades' net results (quote) from `starting` on. */
export interface First {
  readonly returns: Float64Array
  readonly results: Float64Array
  readonly starting: number
}

/**
 * `tooFew`: trades or days are too few to tell. `mayBeLuck`: many lucky trials would do as well, or the ranking does not
 * hold from days to other days. Only of `holds` the word "best" may be said.
 */
export type Verdict = "tooFew" | "mayBeLuck" | "holds"

/**
 * The measures. Sharpe ratios are of a year of 365 days, probabilities from 0 to 1. `deflated` is the probability that
 * the first is better than the luckiest of as many trials without skill, whose ratio would be `expected`; `leastDays`
 * is how long a record as this one has to be to be better than 0 with 95 %. Undefined where nothing can be said.
 */
export interface Luck {
  readonly trials: number
  readonly days: number
  readonly trades: number
  readonly sharpe: number | undefined
  readonly expected: number
  readonly deflated: number | undefined
  readonly leastDays: number | undefined
  readonly overfitting: Overfitting.Overfitting | undefined
  readonly resampled: Bootstrap.Resampled | undefined
  readonly verdict: Verdict
}

/** Trades under which nothing can be told. */
export const LEAST_TRADES = 30
/** The deflated Sharpe ratio from which on the first may be praised. */
export const CONFIDENCE = 0.95
/** The probability of overfitting up to which the first may be praised. */
export const MOST_OVERFITTING = 0.5

const YEAR = Math.sqrt(365)

/**
 * All trials of a search that gave up most of them early: how many, and the variance of their daily ratios over as many
 * days as the rest were tried on.
 */
export interface Searched {
  readonly count: number
  readonly variance: number
}

/**
 * Measures luck from the sums of all trials that ran to the end, and from the first of them in the ranking. `searched`
 * has those that were given up earlier as well: they count as trials too.
 */
export const measure = (
  trials: Overfitting.Trials,
  { results, returns, starting }: First,
  searched?: Searched
): Luck => {
  const measured = Sharpe.returnsOf(returns)
  const count = searched?.count ?? trials.count
  const variance = Math.max(Sharpe.varianceOf(sharpesOf(trials)), searched?.variance ?? 0)
  const luck = {
    trials: count,
    days: trials.days,
    trades: results.length,
    sharpe: measured && measured.sharpe * YEAR,
    expected: Sharpe.expectedBest(count, variance) * YEAR,
    deflated: measured && Sharpe.deflated(measured, count, variance),
    leastDays: measured && Sharpe.leastPeriods(measured, CONFIDENCE),
    overfitting: Overfitting.measure(trials),
    resampled: Bootstrap.resample(results, starting)
  }
  return { ...luck, verdict: verdictOf(luck) }
}

const verdictOf = ({ days, deflated, overfitting, trades, trials }: Omit<Luck, "verdict">): Verdict => {
  if (trades < LEAST_TRADES || deflated === undefined || blocksFor(days) === 1) return "tooFew"
  const isOverfitted = trials > 1 && (overfitting?.probability ?? 1) > MOST_OVERFITTING
  return deflated < CONFIDENCE || isOverfitted ? "mayBeLuck" : "holds"
}

/** The daily ratio of each trial over all days. */
export const sharpesOf = ({ blocks, count, days, sums }: Overfitting.Trials): Float64Array => {
  const all = lengthsOf(blocks, days).reduce((sum, length) => sum + length, 0)
  return Float64Array.from({ length: count }, (_, trial) => {
    let [sum, squares] = [0, 0]
    for (let block = 0; block < blocks; block++) {
      const at = (trial * blocks + block) * BLOCK_WIDTH
      sum += sums[at] ?? 0
      squares += sums[at + 1] ?? 0
    }
    return sharpeOf(all, sum, squares)
  })
}
