// Sums, weighted sums, extremes and deviations of the newest `length` values. Each row costs the same, however long the
// window: values are kept in blocks of `length`, a window is the end of one block and the beginning of the next, and
// the ends of a block are folded once, when the next one begins. So nothing is ever subtracted: a sum does not drift,
// and a window of equal values has the deviation 0.
import type { Plan } from "./Plan.ts"
import { at, back, finite, isValue, type Kernel, put, type Ring, type Series, stateful } from "./Series.ts"

/** Folds two stretches of values that follow one another. */
type Fold = (earlier: number, later: number) => number

const sliding = (source: Ring, out: Ring, length: number, fold: Fold): Kernel => {
  const values = new Float64Array(length)
  const ends = new Float64Array(length)
  const state = { count: 0, folded: 0 }
  const begin = () => {
    let folded = values[length - 1] ?? 0
    ends[length - 1] = folded
    for (let index = length - 2; index > 0; index--) {
      folded = fold(values[index] ?? 0, folded)
      ends[index] = folded
    }
  }
  return stateful(state, (from, to) => {
    let { count, folded } = state
    for (let row = from; row < to; row++) {
      const value = at(source, row)
      if (!isValue(value)) {
        put(out, row, Number.NaN)
        continue
      }
      const place = count % length
      if (place === 0 && count > 0) begin()
      values[place] = value
      folded = place === 0 ? value : fold(folded, value)
      count++
      if (count < length) put(out, row, Number.NaN)
      else if (place === length - 1) put(out, row, folded)
      else put(out, row, fold(ends[place + 1] ?? 0, folded))
    }
    state.count = count
    state.folded = folded
  })
}

/** What a window is folded to. */
interface Folding {
  readonly key: string
  readonly fold: Fold
}

const SUM: Folding = { key: "sum", fold: (earlier, later) => earlier + later }
const HIGHEST: Folding = { key: "highest", fold: (earlier, later) => Math.max(earlier, later) }
const LOWEST: Folding = { key: "lowest", fold: (earlier, later) => Math.min(earlier, later) }

const windowed = (plan: Plan, source: Series, length: number, { fold, key }: Folding): Series =>
  plan.series({ key: `${key}${length}`, inputs: [source], reach: back(length - 1) }, (out) =>
    sliding(source.ring, out, length, fold)
  )

/** The sum of the newest `length` values. */
export const sum = (plan: Plan, source: Series, length: number): Series => windowed(plan, source, length, SUM)

/** The highest of the newest `length` values. */
export const highest = (plan: Plan, source: Series, length: number): Series =>
  windowed(plan, source, length, HIGHEST)

/** The lowest of the newest `length` values. */
export const lowest = (plan: Plan, source: Series, length: number): Series =>
  windowed(plan, source, length, LOWEST)

/** The average of the newest `length` values, with weight `length` for the newest and 1 for the oldest. */
export const wma = (plan: Plan, source: Series, length: number): Series =>
  plan.series({ key: `wma${length}`, inputs: [source], reach: back(length - 1) }, (out) =>
    weighted(source.ring, out, length)
  )

const weighted = (source: Ring, out: Ring, length: number): Kernel => {
  const values = new Float64Array(length)
  // Of each end of the block before: its sum, and its sum with the weights 1, 2, 3 ...
  const sums = new Float64Array(length + 1)
  const ends = new Float64Array(length + 1)
  const state = { count: 0, sum: 0, weighed: 0 }
  const begin = () => {
    for (let index = length - 1; index > 0; index--) {
      sums[index] = (sums[index + 1] ?? 0) + (values[index] ?? 0)
      ends[index] = (ends[index + 1] ?? 0) + (sums[index] ?? 0)
    }
  }
  const total = (length * (length + 1)) / 2
  return stateful(state, (from, to) => {
    for (let row = from; row < to; row++) {
      const value = at(source, row)
      if (!isValue(value)) {
        put(out, row, Number.NaN)
        continue
      }
      const place = state.count % length
      if (place === 0) {
        if (state.count > 0) begin()
        state.sum = 0
        state.weighed = 0
      }
      values[place] = value
      state.sum += value
      state.weighed += (place + 1) * value
      state.count++
      const older = length - 1 - place
      const whole = (ends[place + 1] ?? 0) + older * state.sum + state.weighed
      put(out, row, state.count < length ? Number.NaN : finite(whole / total))
    }
  })
}

/** The standard deviation of the newest `length` values, divided by `length`: that of a population, as on TradingView. */
export const stdev = (plan: Plan, source: Series, length: number): Series =>
  plan.series({ key: `stdev${length}`, inputs: [source], reach: back(length - 1) }, (out) =>
    deviation(source.ring, out, length)
  )

/** Means and squared distances from them are kept of both stretches, and merged as Chan, Golub and LeVeque do (1979). */
const deviation = (source: Ring, out: Ring, length: number): Kernel => {
  const values = new Float64Array(length)
  const means = new Float64Array(length + 1)
  const squares = new Float64Array(length + 1)
  const state = { count: 0, mean: 0, square: 0 }
  const begin = () => {
    let mean = 0
    let square = 0
    for (let index = length - 1; index > 0; index--) {
      const distance = (values[index] ?? 0) - mean
      mean += distance / (length - index)
      square += distance * ((values[index] ?? 0) - mean)
      means[index] = mean
      squares[index] = square
    }
  }
  return stateful(state, (from, to) => {
    for (let row = from; row < to; row++) {
      const value = at(source, row)
      if (!isValue(value)) {
        put(out, row, Number.NaN)
        continue
      }
      const place = state.count % length
      if (place === 0) {
        if (state.count > 0) begin()
        state.mean = 0
        state.square = 0
      }
      values[place] = value
      const distance = value - state.mean
      state.mean += distance / (place + 1)
      state.square += distance * (value - state.mean)
      state.count++
      const older = length - 1 - place
      const apart = (means[place + 1] ?? 0) - state.mean
      const between = older === 0 ? 0 : (apart * apart * older * (place + 1)) / length
      const whole = (squares[place + 1] ?? 0) + state.square + between
      put(out, row, state.count < length ? Number.NaN : finite(Math.sqrt(Math.max(whole, 0) / length)))
    }
  })
}

/** The mean distance of the newest `length` values from their average. Its cost grows with the length. */
export const meanDeviation = (plan: Plan, source: Series, average: Series, length: number): Series =>
  plan.series({ key: `dev${length}`, inputs: [source, average], reach: back(length - 1) }, (out) => {
    const values = new Float64Array(length + 1)
    const state = { count: 0 }
    return stateful(state, (from, to) => {
      for (let row = from; row < to; row++) {
        const value = at(source.ring, row)
        if (isValue(value)) {
          values[state.count % (length + 1)] = value
          state.count++
        }
        const mean = at(average.ring, row)
        put(out, row, isValue(mean) ? distance(values, state.count, length, mean) : Number.NaN)
      }
    })
  })

const distance = (values: Float64Array, count: number, length: number, mean: number): number => {
  let whole = 0
  for (let index = count - length; index < count; index++)
    whole += Math.abs((values[index % (length + 1)] ?? 0) - mean)
  return finite(whole / length)
}
