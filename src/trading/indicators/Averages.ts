// Averages that never quite forget, and RSI. They begin with the plain average of their first `length` values, as on
// TradingView; other programs begin with the first value, and differ until that has faded. A candle without a value is
// passed over: it has no average, and the next one goes on.
import { type Plan, reads } from "./Plan.ts"
import { at, finite, isValue, put, type Reach, type Series, stateful } from "./Series.ts"

/** How an average weighs: its key, the weight of the newest value, and the lengths after which the oldest is below 1e-9. */
interface Weighing {
  readonly key: string
  readonly alpha: (length: number) => number
  readonly fading: number
}

/** (1 - 2 / (n + 1))^11n and (1 - 1 / n)^21n are below 1e-9. */
const EMA: Weighing = { key: "ema", alpha: (length) => 2 / (length + 1), fading: 11 }
const RMA: Weighing = { key: "rma", alpha: (length) => 1 / length, fading: 21 }

const smoothed = (plan: Plan, source: Series, length: number, weighing: Weighing): Series => {
  const { fading, key } = weighing
  const alpha = weighing.alpha(length)
  const reach: Reach = { rows: length - 1, warmup: fading * length - 1 }
  return plan.series({ key: `${key}${length}`, inputs: [source], reach }, (out) => {
    const state = { count: 0, average: 0 }
    return stateful(state, (from, to) => {
      let { average, count } = state
      for (let row = from; row < to; row++) {
        const value = at(source.ring, row)
        if (!isValue(value)) {
          put(out, row, Number.NaN)
          continue
        }
        if (count < length) average += value
        else average += alpha * (value - average)
        count++
        if (count === length) average /= length
        put(out, row, count < length ? Number.NaN : finite(average))
      }
      state.average = average
      state.count = count
    })
  })
}

/** Exponential moving average, with weight 2 / (length + 1) for the newest. */
export const ema = (plan: Plan, source: Series, length: number): Series => smoothed(plan, source, length, EMA)

/** Wilder's moving average, with weight 1 / length for the newest. */
export const rma = (plan: Plan, source: Series, length: number): Series => smoothed(plan, source, length, RMA)

/**
 * Relative strength index: 100 - 100 / (1 + gains / losses), both averaged by Wilder; 100 where there was no loss. The
 * first value is at candle `length`, counted from 0; MetaStock begins one candle earlier.
 */
export const rsi = (plan: Plan, source: Series, length: number): Series => {
  const ring = reads(source, 1)
  const reach: Reach = { rows: length, warmup: RMA.fading * length }
  return plan.series({ key: `rsi${length}`, inputs: [source], reach }, (out) => {
    const state = { count: 0, gains: 0, losses: 0 }
    const alpha = 1 / length
    return stateful(state, (from, to) => {
      let { count, gains, losses } = state
      for (let row = from; row < to; row++) {
        const change = row === 0 ? Number.NaN : at(ring, row) - at(ring, row - 1)
        if (!isValue(change)) {
          put(out, row, Number.NaN)
          continue
        }
        const gain = Math.max(change, 0)
        const loss = Math.max(-change, 0)
        if (count < length) {
          gains += gain * alpha
          losses += loss * alpha
        } else {
          gains += alpha * (gain - gains)
          losses += alpha * (loss - losses)
        }
        count++
        put(out, row, count < length ? Number.NaN : strength(gains, losses))
      }
      state.count = count
      state.gains = gains
      state.losses = losses
    })
  })
}

/** The share of rises among rises and falls, from 0 to 100; 100 without any. */
export const strength = (gains: number, losses: number): number =>
  losses === 0 ? 100 : finite(100 - 100 / (1 + gains / losses))
