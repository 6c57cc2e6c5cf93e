// Outcomes of sweeps with made-up figures, for tests of what is printed and written of them.
import * as Job from "../../src/cli/sweep/Job.ts"
import { type Outcome, outcomeOf } from "../../src/cli/sweep/RankedResults.ts"
import type { Figure } from "../../src/trading/sweep/SweepFigures.ts"
import { placeOf, WIDTH } from "../../src/trading/sweep/SweepFigures.ts"
import { count, type Grid } from "../../src/trading/sweep/SweepGrid.ts"

/** Every combination has the same trades; `figure` gives the figure that ranks, by index and part. */
export const outcome = (
  grid: Grid,
  rank: Figure,
  figure: (index: number, part: number) => number,
  splitAt: number | undefined
): Outcome => {
  const combinations = count(grid)
  const board = Job.boardOf(Array.from({ length: combinations }, (_, index) => index))
  const results = Job.numbers(combinations * Job.PLACE_WIDTH)
  for (let place = 0; place < combinations; place++)
    for (const part of [0, 1]) {
      const at = place * Job.PLACE_WIDTH + part * WIDTH
      results[at] = results[at + 1] = 20221213
      results[at + placeOf("trade_count")] = 5
      results[at + placeOf(rank)] = figure(place, part)
    }
  return outcomeOf({ grid, combinations, rank, holdout: 30, splitAt, board, results })
}
