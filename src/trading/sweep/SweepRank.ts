import { FIGURES, type Figure } from "./SweepFigures.ts"

/** What combinations can be ranked by: all figures but the balance that each begins with. */
export const RANKS: ReadonlyArray<Figure> = FIGURES.filter((figure) => figure !== "starting_equity")

/** Figures of which less is better. Drawdown and worst trade are negative: more of them is better. */
const LESS: ReadonlySet<Figure> = new Set(["fees_paid", "volatility_pct", "avg_hold_time_min"])

/** Figures that are best without a single trade: a combination that made none comes after all that did. */
const TRADELESS: ReadonlySet<Figure> = new Set([...LESS, "max_drawdown_pct", "worst_trade"])

/** What one combination reached in the part that is ranked by; a figure that is null is NaN. */
export interface Reached {
  readonly figure: number
  readonly trades: number
}

/** How good that is: more is better. A profit factor that is null had no loss to divide by, and is the best. */
export const score = (figure: Figure, reached: Reached): number => {
  if (TRADELESS.has(figure) && reached.trades === 0) return Number.NEGATIVE_INFINITY
  if (Number.isNaN(reached.figure)) return Number.POSITIVE_INFINITY
  return LESS.has(figure) ? -reached.figure : reached.figure
}

/** The places of the scores from the best to the worst; equal ones stay in the order of the grid. */
export const order = (scores: Float64Array): Uint32Array => {
  const places = Uint32Array.from(scores, (_, place) => place)
  return places.sort((left, right) => compare(scores[right] ?? 0, scores[left] ?? 0) || left - right)
}

/** Not the difference: two infinities are equal. */
const compare = (left: number, right: number): number => (left < right ? -1 : left > right ? 1 : 0)

/**
 * Spearman's rank correlation: 1 where both put all in one order, 0 where one says nothing of the other, -1 where
 * they are opposed. None for fewer than three, or where one of them puts all in one place.
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

/** The rank of each score; equal ones share the mean of their ranks. */
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

/** The middle one: half are at most that. None of none. */
export const median = (values: Float64Array): number | undefined =>
  values.toSorted()[Math.floor((values.length - 1) / 2)]
