// Ranks the combinations of a sweep by their train part, and compares that with the test part.
import type { FillModel } from "../../domain/fills/FillModel.ts"
import type { Summary } from "../../domain/Performance.ts"
import type { Outcome as BacktestOutcome } from "../../trading/backtest/BacktestView.ts"
import type { Luck } from "../../trading/luck/Luck.ts"
import { type Figure, placeOf, read, WIDTH } from "../../trading/sweep/SweepFigures.ts"
import { fields, type Grid, type Value } from "../../trading/sweep/SweepGrid.ts"
import type { Tried } from "../../trading/sweep/SweepMap.ts"
import { correlation, order, score } from "../../trading/sweep/SweepRanking.ts"
import { type Board, BROKEN, DROPPED, OVERRUN, OVERRUN_LATER, PLACE_WIDTH } from "./Job.ts"
import type { Rung } from "./rungs.ts"

/** The result of a sweep. `ranked` are the places that ran, best first. */
export interface Outcome {
  readonly grid: Grid
  /** Combinations of the whole grid; a sample tries fewer. */
  readonly combinations: number
  readonly rank: Figure
  /** The held-out percentage, and when that part begins (ms), if any. */
  readonly holdout: number
  readonly splitAt: number | undefined
  readonly board: Board
  readonly results: Float64Array
  readonly ranked: Uint32Array
  readonly skipped: number
  /** How many the search gave up early, and the stretches of it, where it was one by halving. */
  readonly dropped: number
  readonly rungs?: ReadonlyArray<Rung> | undefined
  /** The places whose bot overran: they have no figures. */
  readonly overrun: Uint32Array
  /** Rank correlation of train and test, if it is defined. */
  readonly agreement: number | undefined
  /** The luck in the first place, if it was measured, and the currency of its money. */
  readonly luck?: { readonly measured: Luck; readonly currency: string } | undefined
  /** How fills were made nearer to life, if they were. */
  readonly fillModel?: FillModel | undefined
  /** The rule as it is in the first place, and whether its alerts are listed. */
  readonly rule?:
    | { readonly outcome: NonNullable<BacktestOutcome["rule"]>; readonly lists: boolean }
    | undefined
}

/** One combination: its values and its figures in both parts. */
export interface Line {
  readonly values: Readonly<Record<string, Value>>
  readonly train: Summary
  readonly test: Summary | undefined
}

/** Ranks the combinations that ran. */
export const outcomeOf = (
  found: Omit<Outcome, "ranked" | "skipped" | "dropped" | "overrun" | "agreement">
): Outcome => {
  const { board, rank, results, splitAt } = found
  const places = Uint32Array.from(board.indexes, (_, place) => place)
  const coded = (...codes: ReadonlyArray<number>) =>
    places.filter((place) => codes.includes(board.broken[place] ?? 0))
  const run = coded(0)
  const overrun = coded(OVERRUN, OVERRUN_LATER)
  const train = scoresOf(results, run, rank, 0)
  return {
    ...found,
    ranked: order(train).map((place) => run[place] ?? 0),
    skipped: coded(BROKEN).length,
    dropped: coded(DROPPED).length,
    overrun,
    agreement: splitAt === undefined ? undefined : correlation(train, scoresOf(results, run, rank, 1))
  }
}

/** The scores of places by their train (0) or test (1). */
export const scoresOf = (
  results: Float64Array,
  places: Uint32Array,
  rank: Figure,
  part: 0 | 1
): Float64Array =>
  Float64Array.from(places, (place) => {
    const at = place * PLACE_WIDTH + part * WIDTH
    const value = (figure: Figure) => results[at + placeOf(figure)] ?? 0
    return score(rank, { figure: value(rank), trades: value("trade_count") })
  })

/** The combinations as a heat map takes them. */
export const triedOf = ({ board, grid, ranked, results }: Outcome): Tried => ({
  grid,
  ranked: Float64Array.from(ranked, (place) => board.indexes[place] ?? 0),
  figure: (position, part, figure) => {
    const at = (ranked[position] ?? 0) * PLACE_WIDTH + (part === "train" ? 0 : WIDTH)
    return results[at + placeOf(figure)] ?? Number.NaN
  }
})

export const lineOf = ({ board, grid, results, splitAt }: Outcome, place: number): Line => ({
  values: fields(grid, board.indexes[place] ?? 0),
  train: read(results, place * PLACE_WIDTH),
  test: splitAt === undefined ? undefined : read(results, place * PLACE_WIDTH + WIDTH)
})
