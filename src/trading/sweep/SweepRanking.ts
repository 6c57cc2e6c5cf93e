// Ranks the combinations of a sweep by one figure, and measures whether the ranking holds on unseen candles (Spearman's
// rank correlation).
import type { Shading } from "../../domain/internal/Shade.ts"
import { FIGURES, type Figure } from "./SweepFigures.ts"

/** The figures that can rank combinations: all but the starting balance, which is the same for each. */
export const RANKS: ReadonlyArray<Figure> = FIGURES.filter((figure) => figure !== "starting_equity")

/** Figures where less is better. Drawdown and worst trade are negative, so there more is better. */
const LESS: ReadonlySet<Figure> = new Set(["fees_paid", "volatility_pct", "avg_hold_time_min"])

/** Where a figure turns from worse to better; the others have no such point. */
const PIVOTS: ReadonlyMap<Figure, number> = new Map([
  ["net_pnl", 0],
  ["roi_pct", 0],
  ["avg_trade", 0],
  ["profit_factor", 1]
])

/** How a map of a figure is shaded. */
export const shadingOf = (figure: Figure): Shading => ({
  isLess: LESS.has(figure),
  pivot: PIVOTS.get(figure) ?? null
})

/** Figures that are best without trades: a combination that made none ranks last. */
const TRADELESS: ReadonlySet<Figure> = new Set([...LESS, "max_drawdown_pct", "worst_trade"])

/** A combination's result in the training part; a null figure is NaN. */
export interface Reached {
  readonly figure: number
  readonly trades: number
}

/** The score, where more is better. A null profit factor had no loss to divide by and scores best. */
export const score = (figure: Figure, reached: Reached): number => {
  if (TRADELESS.has(figure) && reached.trades === 0) return Number.NEGATIVE_INFINITY
  if (Number.isNaN(reached.figure)) return Number.POSITIVE_INFINITY
  return LESS.has(figure) ? -reached.figure : reached.figure
}

/** The indices of the scores, best first; equal scores keep the sequence of the grid. */
export const order = (scores: Float64Array): Uint32Array => {
  const places = Uint32Array.from(scores, (_, place) => place)
  return places.sort((left, right) => compare(scores[right] ?? 0, scores[left] ?? 0) || left - right)
}

/** Comparison instead of subtraction, because Infinity - Infinity is NaN. */
const compare = (left: number, right: number): number => (left < right ? -1 : left > right ? 1 : 0)

/**
 * Spearman's rank correlation: 1 for the same ranking, 0 for unrelated ones, -1 for opposite ones. Undefined for fewer
 * than three values, or if all values on one side are equal.
 */
export const correlation = (left: Float64Array, right: Float64Array): number | undefined => {
  if (left.length < 3) return undefined
  const [first, second] = [ranks(left), ranks(right)]
  const middle = (left.length - 1) / 2
  let both = 0
  let own = 0
  let other = 0
  for (const [place, rank] of first.entries()) {
    const [x, y] = [rank - middle, (second[place] ?? 0) - middle]
    both += x * y
    own += x * x
    other += y * y
  }
  return own === 0 || other === 0 ? undefined : both / Math.sqrt(own * other)
}

/** The rank of each score; equal scores share the mean of their ranks. */
const ranks = (scores: Float64Array): Float64Array => {
  const sorted = order(scores)
  const shared = new Float64Array(scores.length)
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const value = scores[sorted[from] ?? 0]
    while (to < sorted.length && scores[sorted[to] ?? 0] === value) to++
    for (let place = from; place < to; place++) shared[sorted[place] ?? 0] = (from + to - 1) / 2
  }
  return shared
}

/** The lower median; undefined for no values. */
export const median = (values: Float64Array): number | undefined =>
  values.toSorted()[Math.floor((values.length - 1) / 2)]
