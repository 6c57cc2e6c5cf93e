// The shared memory and messages of a sweep. Workers claim places with an atomic counter and write each result at its
// place, so the result does not depend on the number of threads.
import type { Columns } from "../../domain/candles/CandleFile.ts"
import type * as BacktestMarkets from "../../trading/backtest/BacktestMarkets.ts"
import type { Bars } from "../../trading/indicators/Plan.ts"
import type { Family } from "../../trading/Sweep.ts"
import type { RuleGround } from "../../trading/signalRule/RuleRecording.ts"
import { WIDTH } from "../../trading/sweep/SweepFigures.ts"
import type { Groups } from "../../trading/sweep/SweepRules.ts"
import type { Recording, Stretch } from "../../trading/sweep/SweepSplit.ts"

/** The board that all workers share. `indexes` are the combinations to try, in the grid's order. */
export interface Board {
  readonly indexes: Float64Array
  /** Counters: groups claimed, and places done. */
  readonly counts: Int32Array
  /** What is wrong with a place, one of the codes below; 0 for nothing. */
  readonly broken: Uint8Array
  /** 1 for each place whose results are there. */
  readonly done: Uint8Array
}

/** The combination is invalid. */
export const BROKEN = 1
/** Its bot overran in train, or in test only. */
export const OVERRUN = 2
export const OVERRUN_LATER = 3
/** The search gave it up before the last stretch. */
export const DROPPED = 4

export const TAKEN = 0
export const DONE = 1

/** The figures of one place: train, then test. */
export const PLACE_WIDTH = 2 * WIDTH

/**
 * Messages to a worker, which answers each with `done`: first Check for all combinations, then Run, once or more. A worker
 * claims the places of a group together. The places of a run belong to its stretches in equal shares, in sequence. With 0
 * `blocks` no sums are wanted.
 */
export type Message =
  | { readonly _tag: "Check"; readonly family: Family; readonly board: Board; readonly groups: Groups }
  | {
      readonly _tag: "Run"
      readonly board: Board
      readonly groups: Groups
      readonly ground: typeof BacktestMarkets.MarketsMessage.Encoded
      readonly recording: Recording
      readonly stretches: ReadonlyArray<Stretch>
      /** The candles of the rule that raises the alerts, where one does. */
      readonly rule: RuleGround | undefined
      readonly results: Float64Array
      /** The blocks of the train part's days, and their sums, place after place. */
      readonly blocks: number
      readonly sums: Float64Array
    }

/** What a run fills in, and the number of the run among those of the sweep. */
export interface Results {
  readonly round: number
  readonly board: Board
  readonly results: Float64Array
  readonly blocks: number
  readonly sums: Float64Array
}

/** A run: places of a board, which belong to the stretches in equal shares. */
export interface Run extends Results {
  readonly places: Uint32Array
  readonly stretches: ReadonlyArray<Stretch>
}

export const boardOf = (indexes: ReadonlyArray<number>): Board => {
  const shared = numbers(indexes.length)
  shared.set(indexes)
  return {
    indexes: shared,
    counts: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
    broken: new Uint8Array(new SharedArrayBuffer(indexes.length)),
    done: new Uint8Array(new SharedArrayBuffer(indexes.length))
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
