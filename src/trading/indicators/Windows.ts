// Sums, weighted sums, extremes and deviations of the newest `length` values. Each row costs the same, however long the
// window: values are kept in blocks of `length`, a window is the end of one block and the beginning of the next, and
// the ends of a block are folded once, when the next one begins. So nothing is ever subtracted: a sum does not drift,
// and a window of equal values has the deviation 0. Sums keep what rounding takes from them, and so do not depend on where
// blocks begin, which is where the candles begin: else a close that equals an average would be above it for a server that
// began on one day, and not for one that began on another.
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

const HIGHEST: Folding = { key: "highest", fold: (earlier, later) => Math.max(earlier, later) }
const LOWEST: Folding = { key: "lowest", fold: (earlier, later) => Math.min(earlier, later) }

const windowed = (plan: Plan, source: Series, length: number, { fold, key }: Folding): Series =>
  plan.series({ key: `${key}${length}`, inputs: [source], reach: back(length - 1) }, (out) =>
    sliding(source.ring, out, length, fold)
  )

/** A sum, and what rounding took from it. */
interface Total {
  sum: number
  rest: number
}

/** Adds a number (Neumaier 1974, with Knuth's two-sum). */
const add = (total: Total, value: number): void => {
  const sum = total.sum + value
  const part = sum - total.sum
  total.rest += total.sum - (sum - part) + (value - part)
  total.sum = sum
}

/** Adds a number as often as a whole number up to 2^26 says, in two halves, whose products are exact (Veltkamp's split). */
const addTimes = (total: Total, value: number, times: number): void => {
  const scaled = 134_217_729 * value
  const upper = scaled - (scaled - value)
  add(total, times * upper)
  add(total, times * (value - upper))
}

/** Totals of the ends of a block, by where they begin. */
class Ends {
  readonly #sums: Float64Array
  readonly #rests: Float64Array

  constructor(length: number) {
    this.#sums = new Float64Array(length + 1)
    this.#rests = new Float64Array(length + 1)
  }

  keep(index: number, { rest, sum }: Total): void {
    this.#sums[index] = sum
    this.#rests[index] = rest
  }

  /** Adds one of them to a total. */
  addTo(total: Total, index: number): void {
    add(total, this.#sums[index] ?? 0)
    total.rest += this.#rests[index] ?? 0
  }
}

/** The sum of the newest `length` values. */
export const sum = (plan: Plan, source: Series, length: number): Series =>
  plan.series({ key: `sum${length}`, inputs: [source], reach: back(length - 1) }, (out) =>
    summed(source.ring, out, length)
  )

const summed = (source: Ring, out: Ring, length: number): Kernel => {
  const values = new Float64Array(length)
  const ends = new Ends(length)
  const whole: Total = { sum: 0, rest: 0 }
  const state = { count: 0, sum: 0, rest: 0 }
  const begin = () => {
    whole.sum = whole.rest = 0
    for (let index = length - 1; index > 0; index--) {
      add(whole, values[index] ?? 0)
      ends.keep(index, whole)
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
        state.sum = state.rest = 0
      }
      values[place] = value
      add(state, value)
      state.count++
      whole.sum = state.sum
      whole.rest = state.rest
      ends.addTo(whole, place + 1)
      put(out, row, state.count < length ? Number.NaN : finite(whole.sum + whole.rest))
    }
  })
}

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
  // Of each end of the block before, its sum with the weights 1, 2, 3 ...
  const ends = new Ends(length)
  const whole: Total = { sum: 0, rest: 0 }
  const state = { count: 0, sum: 0, rest: 0 }
  /** The sum of the present block with the weights 1, 2, 3 ... */
  const weighed: Total = { sum: 0, rest: 0 }
  const begin = () => {
    const plain: Total = { sum: 0, rest: 0 }
    whole.sum = whole.rest = 0
    for (let index = length - 1; index > 0; index--) {
      add(plain, values[index] ?? 0)
      add(whole, plain.sum)
      whole.rest += plain.rest
      ends.keep(index, whole)
    }
  }
  const weights = (length * (length + 1)) / 2
  const { advance, hold } = stateful(state, (from, to) => {
    for (let row = from; row < to; row++) {
      const value = at(source, row)
      if (!isValue(value)) {
        put(out, row, Number.NaN)
        continue
      }
      const place = state.count % length
      if (place === 0) {
        if (state.count > 0) begin()
        state.sum = state.rest = weighed.sum = weighed.rest = 0
      }
      values[place] = value
      add(state, value)
      addTimes(weighed, value, place + 1)
      state.count++
      const older = length - 1 - place
      whole.sum = weighed.sum
      whole.rest = weighed.rest + older * state.rest
      addTimes(whole, state.sum, older)
      ends.addTo(whole, place + 1)
      put(out, row, state.count < length ? Number.NaN : finite((whole.sum + whole.rest) / weights))
    }
  })
  const holdWeighed = stateful(weighed, advance).hold
  return {
    advance,
    hold: () => {
      const [undo, undoWeighed] = [hold(), holdWeighed()]
      return () => {
        undo()
        undoWeighed()
      }
    }
  }
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
