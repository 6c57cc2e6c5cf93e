// How far a candle reaches: true range and directional movement.
import { type Plan, reads } from "./Plan.ts"
import { at, back, put, type Series, stateless } from "./Series.ts"

/**
 * True range: the highest of high - low, |high - close before| and |low - close before|. The first candle has none before
 * it: its range is high - low, or no value without `first`.
 */
export const trueRange = (plan: Plan, first = true): Series => {
  const high = plan.field("high")
  const low = plan.field("low")
  const close = plan.field("close")
  const before = reads(close, 1)
  const inputs = [high, low, close]
  return plan.series({ key: `tr${first}`, inputs, reach: back(first ? 0 : 1) }, (out) =>
    stateless((from, to) => {
      for (let row = from; row < to; row++) {
        const top = at(high.ring, row)
        const bottom = at(low.ring, row)
        if (row === 0) {
          put(out, row, first ? top - bottom : Number.NaN)
          continue
        }
        const last = at(before, row - 1)
        put(out, row, Math.max(top - bottom, Math.abs(top - last), Math.abs(bottom - last)))
      }
    })
  )
}

/** Wilder's movement upward (`up`) or downward: the larger of the two moves, if it is above 0. Equal moves are neither. */
export const movement = (plan: Plan, up: boolean): Series => {
  const high = plan.field("high")
  const low = plan.field("low")
  const highs = reads(high, 1)
  const lows = reads(low, 1)
  return plan.series({ key: `dm${up}`, inputs: [high, low], reach: back(1) }, (out) =>
    stateless((from, to) => {
      for (let row = from; row < to; row++) {
        if (row === 0) {
          put(out, row, Number.NaN)
          continue
        }
        const rise = at(highs, row) - at(highs, row - 1)
        const fall = at(lows, row - 1) - at(lows, row)
        const move = up ? rise : fall
        put(out, row, move > 0 && move > (up ? fall : rise) ? move : 0)
      }
    })
  )
}
