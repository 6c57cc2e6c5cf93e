// The shared memory and messages of a sweep. Workers claim places with an atomic counter and write each result at its
// place, so the result does not depend on the number of threads.
import type * as BacktestMarkets from "../../trading/backtest/BacktestMarkets.ts"
import type { Family } from "../../trading/Sweep.ts"
import { WIDTH } from "../../trading/sweep/SweepFigures.ts"
import type { Recording } from "../../trading/sweep/SweepSplit.ts"

/** The board that all workers share. `indexes` are the combinations to try, in the grid's order. */
export interface Board {
  readonly indexes: Float64Array
  /** Counters: places claimed, and places done. */
  readonly counts: Int32Array
  /** `BROKEN` for each place whose combination is invalid, `OVERRUN` where its bot overran. */
  readonly broken: Uint8Array
}

export const BROKEN = 1
export const OVERRUN = 2

export const TAKEN = 0
export const DONE = 1

/** The figures of one place: train, then test. */
export const PLACE_WIDTH = 2 * WIDTH

/** Messages to a worker, which answers each with `done`: first Check for all combinations, then Run. */
export type Message =
  | { readonly _tag: "Check"; readonly family: Family; readonly board: Board }
  | {
      readonly _tag: "Run"
      readonly ground: typeof BacktestMarkets.MarketsMessage.Encoded
      readonly recording: Recording
      /** When the held-out part begins (ms). */
      readonly splitAt: number | undefined
      readonly results: Float64Array
      /** The blocks of the train part's days, and their sums, place after place. */
      readonly blocks: number
      readonly sums: Float64Array
    }

export const boardOf = (indexes: ReadonlyArray<number>): Board => {
  const shared = numbers(indexes.length)
  shared.set(indexes)
  return {
    indexes: shared,
    counts: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
    broken: new Uint8Array(new SharedArrayBuffer(indexes.length))
  }
}

/** Numbers in shared memory. */
export const numbers = (length: number) =>
  new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT))

/** The recording with its candles in shared memory. */
export const shared = ({ alerts, series }: Recording): Recording => ({
  alerts,
  series: series.map(({ columns, ...rest }) => ({
    ...rest,
    columns: {
      at: copy(columns.at),
      open: copy(columns.open),
      high: copy(columns.high),
      low: copy(columns.low),
      close: copy(columns.close),
      length: columns.length
    }
  }))
})

const copy = (column: Float64Array): Float64Array => {
  const own = numbers(column.length)
  own.set(column)
  return own
}
