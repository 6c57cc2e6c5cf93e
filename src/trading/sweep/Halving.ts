// Successive halving: all combinations are tried on a short stretch of time, the better third of them on one three times as
// long, and so on; the last ones on all of train (Jamieson and Talwalkar, "Non-stochastic Best Arm Identification and
// Hyperparameter Optimization", 2016). What is held out is seen by none of it.
import * as Sharpe from "../luck/Sharpe.ts"
import { order } from "./SweepRanking.ts"

/** One of so many goes on, on a stretch so many times as long. */
export const FACTOR = 3
/** Stretches at most, and the fewest combinations of the last. */
const MOST_RUNGS = 4
const LEAST_LAST = 9

/** A stretch of a search: from when on (ms), and how many combinations it tries at most. It ends where train ends. */
export interface Rung {
  readonly from: number
  readonly most: number
}

/** The stretches for so many combinations on candles from `first` up to and without `end` (ms): each the newest of train. */
export const rungsOf = (
  count: number,
  { end, first }: { readonly first: number; readonly end: number }
): ReadonlyArray<Rung> => {
  let rungs = 1
  while (rungs < MOST_RUNGS && Math.floor(count / FACTOR ** rungs) >= LEAST_LAST) rungs++
  return Array.from({ length: rungs }, (_, rung) => ({
    from: Math.round(end - (end - first) / FACTOR ** (rungs - 1 - rung)),
    most: Math.max(1, Math.ceil(count / FACTOR ** rung))
  }))
}

/** The places of the best scores, at most `most` of them, ascending; of equal scores those that come first in the grid. */
export const survivors = (places: Uint32Array, scores: Float64Array, most: number): Uint32Array =>
  Uint32Array.from(order(scores).subarray(0, most), (position) => places[position] ?? 0).sort()

/**
 * The variance of the daily Sharpe ratios that all trials would have over `days`, from their ratios over the fewer days of
 * the first stretch. Ratios of trials without skill vary the less, the longer they are measured.
 */
export const varianceOver = (
  ratios: Float64Array,
  { days, measured }: { readonly measured: number; readonly days: number }
): number => (days > 0 ? Sharpe.varianceOf(ratios) * Math.min(1, measured / days) : 0)
