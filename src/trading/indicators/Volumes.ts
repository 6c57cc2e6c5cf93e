// Indicators of volume: on-balance volume, the flows of the money flow index, and the volume-weighted average price.
import { type Plan, reads } from "./Plan.ts"
import { at, back, finite, HERE, isValue, put, type Series, stateful, stateless } from "./Series.ts"

/**
 * On-balance volume: plus the volume of a candle that closes higher, minus that of one that closes lower. The first value
 * is at the second candle; TA-Lib begins with the first candle's volume, and differs by that for ever.
 */
export const obv = (plan: Plan): Series => {
  const close = plan.field("close")
  const volume = plan.field("volume")
  const closes = reads(close, 1)
  const reach = { ...back(1), anchored: true }
  return plan.series({ key: "obv", inputs: [close, volume], reach }, (out) => {
    const state = { total: 0 }
    return stateful(state, (from, to) => {
      for (let row = from; row < to; row++) {
        const side = row === 0 ? Number.NaN : Math.sign(at(closes, row) - at(closes, row - 1))
        if (isValue(side)) state.total += side * at(volume.ring, row)
        put(out, row, isValue(side) ? finite(state.total) : Number.NaN)
      }
    })
  })
}

/**
 * Source x volume of the candles at which the source rose (`up`), or fell; 0 at others. The first candle of all counts as
 * both, as on TradingView, so that the index has a value one candle earlier than elsewhere.
 */
export const flow = (plan: Plan, source: Series, up: boolean): Series => {
  const volume = plan.field("volume")
  const sources = reads(source, 1)
  return plan.series({ key: `flow${up}`, inputs: [source, volume], reach: HERE }, (out) =>
    stateless((from, to) => {
      for (let row = from; row < to; row++) {
        const before = row === 0 ? Number.NaN : at(sources, row - 1)
        const change = at(source.ring, row) - before
        const counts = !isValue(before) || (up ? change > 0 : change < 0)
        put(out, row, counts ? finite(at(source.ring, row) * at(volume.ring, row)) : 0)
      }
    })
  )
}

/** When the volume-weighted average price begins anew: at multiples of `everyMs`, moved by `offsetMs`. */
export interface Anchor {
  readonly everyMs: number
  readonly offsetMs: number
}

const DAY_MS = 86_400_000
/** At each UTC day. */
export const UTC_DAY: Anchor = { everyMs: DAY_MS, offsetMs: 0 }

/**
 * The volume-weighted average of a source since the anchor (`mean`), or the deviation from it, weighted by volume too.
 * No value before there was volume.
 */
export const vwap = (plan: Plan, source: Series, of: "mean" | "deviation", anchor = UTC_DAY): Series => {
  const times = plan.field("at")
  const volume = plan.field("volume")
  const key = `vwap.${of}${anchor.everyMs},${anchor.offsetMs}`
  // Candles may begin within a period: the first whole one begins after a period's candles at the latest.
  const reach = { rows: 0, warmup: Math.ceil(anchor.everyMs / plan.timeframeMs) }
  return plan.series({ key, inputs: [source, volume, times], reach }, (out) => {
    const state = { period: Number.NaN, weight: 0, mean: 0, square: 0 }
    return stateful(state, (from, to) => {
      for (let row = from; row < to; row++) {
        const period = Math.floor((at(times.ring, row) - anchor.offsetMs) / anchor.everyMs)
        if (period !== state.period) {
          state.period = period
          state.weight = state.mean = state.square = 0
        }
        const value = at(source.ring, row)
        const weight = at(volume.ring, row)
        if (isValue(value) && weight > 0) {
          state.weight += weight
          const distance = value - state.mean
          state.mean += (distance * weight) / state.weight
          state.square += weight * distance * (value - state.mean)
        }
        const deviation = Math.sqrt(state.square / state.weight)
        const result = of === "mean" ? state.mean : deviation
        put(out, row, state.weight > 0 ? finite(result) : Number.NaN)
      }
    })
  })
}
