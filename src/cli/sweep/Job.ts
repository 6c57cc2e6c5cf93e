// The shared memory and messages of a sweep. Workers claim places with an atomic counter and write each result at its
// place, so the result does not depend on the number of threads.
import type { Columns } from "../../domain/candles/CandleFile.ts"
import type * as BacktestMarkets from "../../trading/backtest/BacktestMarkets.ts"
import type { Bars } from "../../trading/indicators/Plan.ts"
import type { Family } from "../../trading/Sweep.ts"
import type { RuleGround } from "../../trading/signalRule/RuleRecording.ts"
import { WIDTH } from "../../trading/sweep/SweepFigures.ts"
import type { Groups } from "../../trading/sweep/SweepRules.ts"
import type { Recording } from "../../trading/sweep/SweepSplit.ts"

/** The board that all workers share. `indexes` are the combinations to try, in the grid's order. */
export interface Board {
  readonly indexes: Float64Array
  /** Counters: groups claimed, and places done. */
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

/**
 * Messages to a worker, which answers each with `done`: first Check for all combinations, then Run. A worker claims the
 * places of a group together.
 */
export type Message =
  | { readonly _tag: "Check"; readonly family: Family; readonly board: Board; readonly groups: Groups }
  | {
      readonly _tag: "Run"
      readonly groups: Groups
      readonly ground: typeof BacktestMarkets.MarketsMessage.Encoded
      readonly recording: Recording
      /** When the held-out part begins (ms). */
      readonly splitAt: number | undefined
      /** The candles of the rule that raises the alerts, where one does. */
      readonly rule: RuleGround | undefined
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
  series: series.map(({ columns, exchange, pair }) => ({ exchange, pair, columns: copied(columns) }))
})

/** A rule's candles in shared memory; markets of one pair share theirs. */
export const sharedGround = (ground: RuleGround): RuleGround => {
  const known = new Map<Bars, Bars>()
  const barsOf = (bars: Bars): Bars => {
    const own = known.get(bars) ?? { ...copied(bars), volume: copy(bars.volume) }
    known.set(bars, own)
    return own
  }
  return { ...ground, markets: ground.markets.map((market) => ({ ...market, bars: barsOf(market.bars) })) }
}

/** The prices of candles; a back-test reads no volume. */
const copied = ({ at, close, high, length, low, open }: Columns): Columns => ({
  at: copy(at),
  open: copy(open),
  high: copy(high),
  low: copy(low),
  close: copy(close),
  length
})

const copy = (column: Float64Array): Float64Array => {
  const own = numbers(column.length)
  own.set(column)
  return own
}
