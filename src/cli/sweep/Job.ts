import type * as BacktestMarkets from "../../trading/backtest/BacktestMarkets.ts"
import type { Family } from "../../trading/Sweep.ts"
import { WIDTH } from "../../trading/sweep/SweepFigures.ts"
import type { Recording } from "../../trading/sweep/SweepSplit.ts"

/**
 * Memory that the workers share. Each takes the next place that nobody has taken, and writes what came of it at that
 * place: who did what when leaves no trace. `indexes` are the combinations to try, in the order of the grid.
 */
export interface Board {
  readonly indexes: Float64Array
  /** How many places are taken, and how many done. */
  readonly counts: Int32Array
  /** `BROKEN` at the places whose combination breaks a rule, `OVERRUN` where its bot came to no end with an event. */
  readonly broken: Uint8Array
}

export const BROKEN = 1
export const OVERRUN = 2

export const TAKEN = 0
export const DONE = 1

/** Train and test, one after the other, at each place. */
export const PLACE_WIDTH = 2 * WIDTH

/** What a worker is told; it answers each with `done`. First all combinations are read, then all are run. */
export type Message =
  | { readonly _tag: "Check"; readonly family: Family; readonly board: Board }
  | {
      readonly _tag: "Run"
      readonly ground: typeof BacktestMarkets.MarketsMessage.Encoded
      readonly recording: Recording
      /** When the part that is held out begins (ms). */
      readonly splitAt: number | undefined
      readonly results: Float64Array
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

/** That many numbers which all threads see. */
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
