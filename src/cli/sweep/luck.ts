// Measures the luck in a sweep's first place: gathers the sums of all combinations, and runs the first once more for its
// returns and trades.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import { BLOCK_WIDTH, blocksFor } from "../../trading/luck/Blocks.ts"
import { dailyReturns, daysOf } from "../../trading/luck/DailyReturns.ts"
import * as Luck from "../../trading/luck/Luck.ts"
import { type Family, strategyOf, trial } from "../../trading/Sweep.ts"
import { type Recording, split } from "../../trading/sweep/SweepSplit.ts"
import type { Setup } from "./inputs.ts"
import { numbers } from "./Job.ts"
import type { Outcome } from "./RankedResults.ts"

/** Combinations beyond which days are not compared block by block: their sums would fill the memory. */
export const MOST_COMPARED = 100_000

/** The sums that the workers fill in, for so many combinations. */
export interface Sums {
  readonly blocks: number
  readonly sums: Float64Array
}

/** Room for the sums of `combinations` over the train part. */
export const sumsFor = (combinations: number, train: Recording): Sums => {
  const blocks = combinations > MOST_COMPARED ? 1 : blocksFor(daysOf(train.series).count)
  return { blocks, sums: numbers(combinations * blocks * BLOCK_WIDTH) }
}

/** The earlier part of a recording; all of it where nothing is held out. */
export const trainOf = (recording: Recording, splitAt: number | undefined): Recording =>
  splitAt === undefined ? recording : split(recording, splitAt).train

/** The luck in the first place; undefined where no combination has a result. `searched` are the trials of a search. */
export const luckOf = (
  { board, ranked }: Pick<Outcome, "board" | "ranked">,
  family: Family,
  { ground, recording: train }: Pick<Setup, "ground" | "recording">,
  { blocks, searched, sums }: Sums & { readonly searched?: Luck.Searched | undefined }
): Luck.Luck | undefined => {
  const [place] = ranked
  if (place === undefined) return undefined
  const settings = Either.getOrThrow(strategyOf(family, board.indexes[place] ?? 0))
  const days = daysOf(train.series)
  return Option.getOrUndefined(
    Option.map(trial(settings, ground, train), ({ ended }) =>
      Luck.measure(
        { count: ranked.length, blocks, days: days.count, sums: gathered(ranked, blocks, sums) },
        {
          returns: dailyReturns(ended, days),
          results: Float64Array.from(ended.result.trades, ({ pnl }) => Decimal.toNumber(pnl)),
          starting: Decimal.toNumber(ended.result.tally.starting)
        },
        searched
      )
    )
  )
}

/** The sums of some places, in their sequence. */
export const gathered = (ranked: Uint32Array, blocks: number, sums: Float64Array): Float64Array => {
  const width = blocks * BLOCK_WIDTH
  const found = new Float64Array(ranked.length * width)
  for (const [position, place] of ranked.entries())
    found.set(sums.subarray(place * width, (place + 1) * width), position * width)
  return found
}
