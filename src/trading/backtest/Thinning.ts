// Thins an equity curve for display: keeps both ends, the deepest drawdown, and the lowest and highest point of each of
// equally sized buckets, so no peak or low is lost.

/** Completed trades in sequence: when each closed (ms) and its P&L (quote). */
export interface Results {
  readonly at: Float64Array
  readonly pnl: Float64Array
}

/**
 * Equity after each trade, and its drawdown from the highest equity so far, the start included (percent, 0 or
 * negative).
 */
export interface Curve {
  readonly at: Float64Array
  readonly equity: Float64Array
  readonly drawdown: Float64Array
}

/** The full curve; drawdowns are computed before any point is dropped. */
export const curveOf = ({ at, pnl }: Results, starting: number): Curve => {
  const equity = new Float64Array(at.length)
  const drawdown = new Float64Array(at.length)
  let peak = starting
  let now = starting
  for (let i = 0; i < at.length; i++) {
    now += pnl[i] ?? 0
    if (now > peak) peak = now
    equity[i] = now
    drawdown[i] = peak > 0 ? Math.min(0, (now / peak - 1) * 100) : 0
  }
  return { at, equity, drawdown }
}

/** The smallest number of points: two ends, the deepest drawdown, and one bucket of two. */
export const LEAST_POINTS = 5

/** The indices of the kept points, ascending, at most `most` of them. */
export const thinned = ({ drawdown, equity }: Curve, most: number): ReadonlyArray<number> => {
  const { length } = equity
  if (length <= most) return Array.from({ length }, (_, place) => place)
  const buckets = bucketsFor(most)
  const kept = new Set([0, length - 1, placeOf(drawdown, 0, length, isLower)])
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * length) / buckets)
    const until = Math.floor(((bucket + 1) * length) / buckets)
    kept.add(placeOf(equity, from, until, isLower))
    kept.add(placeOf(equity, from, until, isHigher))
  }
  return [...kept].sort((one, other) => one - other)
}

/** The buckets of a curve with at most so many points, each with its lowest and highest. */
export const bucketsFor = (most: number): number => Math.max(1, Math.floor((most - 3) / 2))

const isLower = (one: number, other: number): boolean => one < other
const isHigher = (one: number, other: number): boolean => one > other

/** The index of the first value that no other in the stretch beats. */
const placeOf = (
  values: Float64Array,
  from: number,
  until: number,
  beats: (one: number, other: number) => boolean
): number => {
  let best = from
  for (let place = from + 1; place < until; place++)
    if (beats(values[place] ?? 0, values[best] ?? 0)) best = place
  return best
}
