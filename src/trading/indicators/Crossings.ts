// Conditions between a series and itself or another one, candle by candle.
import { type Plan, reads } from "./Plan.ts"
import { at, back, isValue, put, type Series, stateful, stateless } from "./Series.ts"

/** True where `a` is above `b` and was not above it at the candle before; the other way round without `over`. */
export const crossing = (plan: Plan, a: Series, b: Series, over: boolean): Series => {
  const one = reads(a, 1)
  const other = reads(b, 1)
  const side = over ? 1 : -1
  return plan.series({ key: `crossing${side}`, inputs: [a, b], reach: back(1) }, (out) =>
    stateless((from, to) => {
      for (let row = from; row < to; row++) {
        const now = side * (at(one, row) - at(other, row))
        const before = row === 0 ? Number.NaN : side * (at(one, row - 1) - at(other, row - 1))
        put(out, row, now > 0 && before <= 0 ? 1 : 0)
      }
    })
  )
}

/**
 * True where `a` is on the other side of `b` than when they last differed. This is not "crossover or crossunder": where
 * the two were equal, it remembers from which side they came, as TradingView does.
 */
export const cross = (plan: Plan, a: Series, b: Series): Series =>
  plan.series({ key: "cross", inputs: [a, b], reach: back(1) }, (out) => {
    const state = { side: 0 }
    return stateful(state, (from, to) => {
      for (let row = from; row < to; row++) {
        const side = Math.sign(at(a.ring, row) - at(b.ring, row))
        put(out, row, side * state.side < 0 ? 1 : 0)
        if (side === 1 || side === -1) state.side = side
      }
    })
  })

/** Candles since the condition was true: 0 where it is; no value before it was. */
export const since = (plan: Plan, condition: Series): Series =>
  plan.series({ key: "barssince", inputs: [condition], reach: { rows: 0, anchored: true } }, (out) => {
    const state = { since: Number.NaN }
    return stateful(state, (from, to) => {
      for (let row = from; row < to; row++) {
        if (at(condition.ring, row) === 1) state.since = 0
        else if (isValue(state.since)) state.since++
        put(out, row, state.since)
      }
    })
  })
