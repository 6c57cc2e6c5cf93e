// Compares our values with expected ones, within the tolerance that the folder states for each.
import type { Output } from "./tables.ts"

/** What a column came to: how many values were compared, the largest difference, and whether all are near enough. */
export interface Result {
  readonly compared: number
  readonly worst: number
  readonly ok: boolean
  readonly note: string
}

/** Compares from the first bar that the tolerance names. A value that we lack is a difference. */
export const compare = (got: Float64Array, want: Float64Array, { tolerance }: Output): Result => {
  const largest = want.reduce(
    (most, value) => (Number.isNaN(value) ? most : Math.max(most, Math.abs(value))),
    0
  )
  const { absolute, from = 0, relative } = tolerance
  let worst = 0
  let compared = 0
  let failed = 0
  for (let row = from; row < want.length; row++) {
    const [ours, theirs] = [got[row] ?? Number.NaN, want[row] ?? Number.NaN]
    if (Number.isNaN(theirs)) continue
    const apart = Math.abs(ours - theirs)
    const scale = relative === undefined ? 1 : Math.max(Math.abs(theirs), 0.001 * largest)
    const difference = Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart / scale
    // A column without a tolerance is exact but for the last bits.
    const most = relative ?? absolute ?? 1e-9
    compared++
    worst = Math.max(worst, difference)
    if (!(difference <= most)) failed++
  }
  return { compared, worst, ok: compared > 0 && failed === 0, note: failed === 0 ? "" : `${failed} differ` }
}

/** The differences between neighbours. */
export const changes = (values: Float64Array): Float64Array =>
  values.map((value, row) => (row === 0 ? Number.NaN : value - (values[row - 1] ?? Number.NaN)))
