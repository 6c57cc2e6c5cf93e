// Thins a curve while it is made, so that a long one is never held whole: keeps the points that `Thinning.thinned` keeps
// of the full curve.
import type { EquityPoint } from "../../domain/equity/EquityFigures.ts"
import { bucketsFor } from "../backtest/Thinning.ts"

/** A point with its index in the full curve. */
interface Place {
  index: number
  point: EquityPoint
}

/** `length` is the number of points that will come, `most` the most that are kept. */
export interface CurveThinner {
  readonly length: number
  readonly most: number
  readonly kept: Map<number, EquityPoint>
  bucket: number
  until: number
  count: number
  low: Place | undefined
  high: Place | undefined
  deepest: Place | undefined
}

/** A thinner for a curve of `length` points, of which it keeps at most `most`. */
export const make = (length: number, most: number): CurveThinner => ({
  length,
  most,
  kept: new Map(),
  bucket: 0,
  until: boundary(0, length, most),
  count: 0,
  low: undefined,
  high: undefined,
  deepest: undefined
})

/** Adds the next point. */
export const take = (thinner: CurveThinner, point: EquityPoint): void => {
  const index = thinner.count++
  if (thinner.length <= thinner.most || index === 0 || index === thinner.length - 1)
    thinner.kept.set(index, point)
  if (thinner.length <= thinner.most) return
  if (index === thinner.until) flush(thinner)
  const [, equity, drawdown] = point
  if (thinner.low === undefined || equity < thinner.low.point[1]) thinner.low = { index, point }
  if (thinner.high === undefined || equity > thinner.high.point[1]) thinner.high = { index, point }
  if (thinner.deepest === undefined || drawdown < thinner.deepest.point[2]) thinner.deepest = { index, point }
}

/** The kept points in sequence. */
export const points = (thinner: CurveThinner): ReadonlyArray<EquityPoint> => {
  const kept = new Map(thinner.kept)
  for (const place of [thinner.low, thinner.high, thinner.deepest])
    if (place !== undefined) kept.set(place.index, place.point)
  return [...kept].sort(([one], [other]) => one - other).map(([, point]) => point)
}

/** The index after the last point of a bucket. */
const boundary = (bucket: number, length: number, most: number): number =>
  Math.floor(((bucket + 1) * length) / bucketsFor(most))

const flush = (thinner: CurveThinner): void => {
  for (const place of [thinner.low, thinner.high])
    if (place !== undefined) thinner.kept.set(place.index, place.point)
  thinner.low = undefined
  thinner.high = undefined
  thinner.bucket++
  thinner.until = boundary(thinner.bucket, thinner.length, thinner.most)
}
