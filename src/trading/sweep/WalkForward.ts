// Walk-forward: combinations are ranked on one stretch of time after the other, and the first of each ranking trades the
// days that follow it. No choice sees a candle or an alert of the days that it is tried on, nor of any later ones.
import type { Series } from "../backtest/Tracks.ts"
import type { Luck } from "../luck/Luck.ts"
import { MOST_OVERFITTING } from "../luck/Luck.ts"
import { firstAt } from "../watch/Scan.ts"
import { combination, type Grid, valueText } from "./SweepGrid.ts"
import type { Stretch } from "./SweepSplit.ts"

/** A day in ms. */
export const DAY_MS = 86_400_000

/** How the time is cut: the lengths of train and test in days, and whether every train begins with the first candle. */
export interface WalkForward {
  readonly trainDays: number
  readonly testDays: number
  readonly isAnchored: boolean
}

/** A stretch of a walk, whose later part is always there. */
export interface WalkStretch extends Stretch {
  readonly testFrom: number
}

/**
 * The stretches, in sequence. Tests follow each other without a gap; the last one ends with the candles and may be shorter.
 * A stretch without candles in one of its parts is left out. Undefined for more than `most`.
 */
export const stretchesOf = (
  series: ReadonlyArray<Series>,
  { isAnchored, testDays, trainDays }: WalkForward,
  most: number
): ReadonlyArray<WalkStretch> | undefined => {
  const { end, first } = spanOf(series)
  const found: Array<WalkStretch> = []
  if (countOf({ end, first }, { trainDays, testDays }) > most) return undefined
  const timeOf = (days: number) => Math.round(first + days * DAY_MS)
  for (let test = 0; timeOf(trainDays + test * testDays) < end; test++) {
    const testFrom = timeOf(trainDays + test * testDays)
    const from = isAnchored ? first : timeOf(test * testDays)
    const to = Math.min(end, timeOf(trainDays + (test + 1) * testDays))
    if (hasCandles(series, from, testFrom) && hasCandles(series, testFrom, to))
      found.push({ from, testFrom, to })
  }
  return found
}

const countOf = (
  { end, first }: ReturnType<typeof spanOf>,
  { testDays, trainDays }: Pick<WalkForward, "trainDays" | "testDays">
): number => (first < end ? ((end - first) / DAY_MS - trainDays) / testDays : 0)

/** The time (ms) of the first candle, and the end of the last, which is taken to be as long as the shortest of its ends. */
export const spanOf = (series: ReadonlyArray<Series>): { readonly first: number; readonly end: number } => {
  let [first, end] = [Infinity, -Infinity]
  for (const { columns } of series) {
    const { at, length } = columns
    if (length === 0) continue
    const gapBefore = (place: number) => (at[place] ?? 0) - (at[place - 1] ?? 0)
    const gap = length < 2 ? 1 : Math.min(gapBefore(1), gapBefore(length - 1))
    first = Math.min(first, at[0] ?? 0)
    end = Math.max(end, (at[length - 1] ?? 0) + gap)
  }
  return { first, end }
}

const hasCandles = (series: ReadonlyArray<Series>, from: number, to: number): boolean =>
  series.some(({ columns }) => {
    const time = columns.at[firstAt(columns.at, from, 0)]
    return time !== undefined && time < to
  })

/** How often a setting was chosen with its most frequent value: a share from 0 to 1. */
export interface Stability {
  readonly field: string
  /** The value that most stretches chose, as text; of several the one that was chosen first. Empty for null. */
  readonly value: string
  readonly share: number
  /** How many different values were chosen. */
  readonly values: number
  /** How many times the choice differs from the one before it. */
  readonly changes: number
}

/** How stable the choices are, field by field. `indexes` are the chosen combinations, in the sequence of the stretches. */
export const stabilityOf = (grid: Grid, indexes: ReadonlyArray<number>): ReadonlyArray<Stability> => {
  const chosen = indexes.map((index) => combination(grid, index).map(valueText))
  return grid.map(({ field }, place) => {
    const texts = chosen.map((values) => values[place] ?? "")
    const counts = new Map<string, number>()
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
    const [value, most] = [...counts].reduce((top, one) => (one[1] > top[1] ? one : top), ["", 0])
    return {
      field,
      value,
      share: texts.length === 0 ? 0 : most / texts.length,
      values: counts.size,
      changes: texts.filter((text, at) => at > 0 && text !== texts[at - 1]).length
    }
  })
}

/** What a stretch came to: returns as fractions of the equity at its beginning, open positions included, and its days. */
export interface WalkReturn {
  readonly train: number
  readonly trainDays: number
  readonly test: number
  readonly testDays: number
}

/**
 * Mean returns of a day (fractions), and the efficiency: test over train (Pardo, "The Evaluation and Optimization of
 * Trading Strategies", 2008). Undefined where train did not gain, as nothing can be kept of nothing.
 */
export interface Efficiency {
  readonly train: number
  readonly test: number
  readonly efficiency: number | undefined
}

/** The efficiency of all stretches together. */
export const efficiencyOf = (returns: ReadonlyArray<WalkReturn>): Efficiency => {
  const sum = (of: (one: WalkReturn) => number) => returns.reduce((all, one) => all + of(one), 0)
  const perDay = (total: number, days: number) => (days > 0 ? total / days : 0)
  const train = perDay(
    sum((one) => one.train),
    sum((one) => one.trainDays)
  )
  const test = perDay(
    sum((one) => one.test),
    sum((one) => one.testDays)
  )
  return { train, test, efficiency: train > 0 ? test / train : undefined }
}

/**
 * The share of combinations that did better in test than the chosen one, from 0 to 1; those that did as well count half.
 * Undefined for a single combination.
 */
export const shareAhead = (scores: Float64Array, chosen: number): number | undefined => {
  const own = scores[chosen] ?? 0
  const others = scores.length - 1
  if (others < 1) return undefined
  let ahead = -0.5
  for (const score of scores) ahead += score > own ? 1 : score === own ? 0.5 : 0
  return ahead / others
}

/** The Sharpe probability from which on a walk may be praised: of 1,000 walks without skill, 0.95 would praise 66. */
export const WALK_CONFIDENCE = 0.975

/**
 * The verdict on the joined record. It is a single trial, since nothing of it was chosen by its own result. To hold, its
 * ratio has to be better than 0 with 97.5 %, the choice has to land in the upper half of its tests at least as often as
 * in the lower, and the low end of its trades drawn anew has to be a gain: otherwise more than one walk without skill in
 * twenty would be praised.
 */
export const judged = (joined: Luck, ahead: ReadonlyArray<number>): Luck => {
  const behind = ahead.reduce((sum, share) => sum + (share > 0.5 ? 1 : share === 0.5 ? 0.5 : 0), 0)
  const overfitting =
    ahead.length === 0 ? undefined : { probability: behind / ahead.length, halvings: ahead.length }
  const isDoubted =
    (joined.deflated ?? 0) < WALK_CONFIDENCE ||
    (overfitting?.probability ?? 0) > MOST_OVERFITTING ||
    (joined.resampled?.net.low ?? 0) <= 0
  const verdict = joined.verdict === "holds" && isDoubted ? "mayBeLuck" : joined.verdict
  return { ...joined, overfitting, verdict }
}
