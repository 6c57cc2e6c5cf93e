// Supertrend and parabolic SAR: levels that follow the price until it crosses them. They never forget where they began.
import { type Plan, reads } from "./Plan.ts"
import { at, back, finite, isValue, put, type Series, stateful } from "./Series.ts"

const FOREVER = { rows: 0, anchored: true }

/**
 * A band of Supertrend: it only tightens, unless the close before was beyond it. `side` is 1 for the upper band, which
 * falls, and -1 for the lower one, which rises.
 */
const band = (plan: Plan, level: Series, side: 1 | -1): Series => {
  const close = plan.field("close")
  const before = reads(close, 1)
  return plan.series({ key: `band${side}`, inputs: [level, close], reach: FOREVER }, (out) => {
    const state = { band: Number.NaN }
    return stateful(state, (from, to) => {
      for (let row = from; row < to; row++) {
        const next = at(level.ring, row)
        const isTighter = side * next < side * state.band
        const wasBeyond = side * at(before, row - 1) > side * state.band
        if (!isValue(state.band) || isTighter || wasBeyond) state.band = next
        put(out, row, state.band)
      }
    })
  })
}

/** The bands of Supertrend, which begin at the levels above and below the middle of the candle. */
export const bands = (plan: Plan, above: Series, below: Series) => ({
  upper: band(plan, above, 1),
  lower: band(plan, below, -1)
})

/** The direction of Supertrend, with Pine's signs: -1 while it rises, 1 while it falls. It begins as falling. */
export const direction = (plan: Plan, upper: Series, lower: Series): Series => {
  const close = plan.field("close")
  return plan.series({ key: "direction", inputs: [close, upper, lower], reach: FOREVER }, (out) => {
    const state = { direction: 0 }
    return stateful(state, (from, to) => {
      for (let row = from; row < to; row++) {
        const price = at(close.ring, row)
        if (!isValue(at(upper.ring, row))) {
          put(out, row, Number.NaN)
          continue
        }
        if (state.direction === 0) state.direction = 1
        else if (state.direction === 1 && price > at(upper.ring, row)) state.direction = -1
        else if (state.direction === -1 && price < at(lower.ring, row)) state.direction = 1
        put(out, row, state.direction)
      }
    })
  })
}

/** How parabolic SAR accelerates: from `start` by `increment` at each new extreme, up to `max`. */
export interface Acceleration {
  readonly start: number
  readonly increment: number
  readonly max: number
}

interface Sar {
  level: number
  extreme: number
  factor: number
  isRising: boolean
}

/**
 * Parabolic SAR: a level that approaches the price ever faster. The first direction is that from close to close. It
 * moves, then turns if the price went beyond it, and only then is kept out of the two candles before; TA-Lib keeps it
 * out first, and so turns at other candles now and then.
 */
export const sar = (plan: Plan, acceleration: Acceleration): Series => {
  const { increment, max, start } = acceleration
  const inputs = [plan.field("high"), plan.field("low"), plan.field("close")] as const
  const [highs, lows, closes] = [reads(inputs[0], 2), reads(inputs[1], 2), reads(inputs[2], 1)] as const
  const key = `sar${start},${increment},${max}`
  return plan.series({ key, inputs, reach: { ...back(1), anchored: true } }, (out) => {
    const state: Sar = { level: Number.NaN, extreme: 0, factor: start, isRising: false }
    return stateful(state, (from, to) => {
      for (let row = from; row < to; row++) {
        const high = at(highs, row)
        const low = at(lows, row)
        if (row > 0) {
          if (row === 1) {
            state.isRising = at(closes, 1) > at(closes, 0)
            state.extreme = state.isRising ? high : low
            state.level = state.isRising ? at(lows, 0) : at(highs, 0)
          }
          move(state, { high, low, isFirst: row === 1 }, acceleration)
          const older = Math.max(row - 2, 0)
          state.level = state.isRising
            ? Math.min(state.level, at(lows, row - 1), at(lows, older))
            : Math.max(state.level, at(highs, row - 1), at(highs, older))
        }
        put(out, row, finite(state.level))
      }
    })
  })
}

/** Moves the level, turns it if the price went beyond it, and accelerates at a new extreme. */
const move = (
  state: Sar,
  { high, isFirst, low }: { readonly high: number; readonly low: number; readonly isFirst: boolean },
  { increment, max, start }: Acceleration
): void => {
  state.level += state.factor * (state.extreme - state.level)
  const isTouched = state.isRising ? state.level > low : state.level < high
  if (isTouched) {
    state.level = state.isRising ? Math.max(high, state.extreme) : Math.min(low, state.extreme)
    state.isRising = !state.isRising
    state.extreme = state.isRising ? high : low
    state.factor = start
    return
  }
  const isNewExtreme = state.isRising ? high > state.extreme : low < state.extreme
  if (isFirst || !isNewExtreme) return
  state.extreme = state.isRising ? high : low
  state.factor = Math.min(state.factor + increment, max)
}
