// `sweep --search halving`: rung by rung on ever longer stretches of train, each with the better third of the one before.
import * as Effect from "effect/Effect"
import { daysOf } from "../../trading/luck/DailyReturns.ts"
import { type Searched, sharpesOf } from "../../trading/luck/Luck.ts"
import { rungsOf, survivors, varianceOver } from "../../trading/sweep/Halving.ts"
import { type Recording, type Stretch, within } from "../../trading/sweep/SweepSplit.ts"
import { DAY_MS, spanOf } from "../../trading/sweep/WalkForward.ts"
import * as Job from "./Job.ts"
import { gathered } from "./luck.ts"
import { scoresOf } from "./RankedResults.ts"
import * as Runs from "./Runs.ts"
import type { Rung } from "./rungs.ts"

/** What a search has found beside the results of its last rung. */
export interface Found {
  readonly rungs: ReadonlyArray<Rung>
  readonly searched: Searched
}

/** The rungs of a search, from the shortest stretch to all of train. The last one is tried on test as well. */
export const rungsFor = (
  { board, recording }: { readonly board: Job.Board; readonly recording: Recording },
  splitAt: number | undefined
) => {
  const { end, first } = spanOf(recording.series)
  const to = splitAt ?? end
  const sound = board.broken.reduce((count, code) => count + (code === 0 ? 1 : 0), 0)
  const rungs = rungsOf(sound, { first, end: to })
  return rungs.map(({ from, most }, rung) => {
    const isLast = rung === rungs.length - 1
    const stretch: Stretch = isLast
      ? { from: -Infinity, testFrom: splitAt, to: Infinity }
      : { from, testFrom: undefined, to }
    return { stretch, most, days: (to - from) / DAY_MS }
  })
}

/** Searches. Places that were given up are marked as dropped. */
export const halve = (
  sweep: Runs.Sweep,
  board: Job.Board,
  rungs: ReturnType<typeof rungsFor>,
  filled: Pick<Job.Run, "results" | "blocks" | "sums">
) =>
  Effect.gen(function* () {
    let places: Uint32Array = Uint32Array.from(board.indexes, (_, place) => place)
    const tried: Array<Rung> = []
    let searched: Searched = { count: 0, variance: 0 }
    for (const [round, { days, stretch }] of rungs.entries()) {
      board.done.fill(0)
      yield* Runs.run(sweep, { ...filled, round, board, places, stretches: [stretch] })
      const sound = places.filter((place) => board.broken[place] === 0)
      if (round === 0) searched = searchedOf(sweep, { sound, stretch, filled })
      tried.push({ days, tried: places.filter((place) => board.broken[place] !== Job.BROKEN).length })
      const next = rungs[round + 1]
      if (next === undefined) break
      places = survivors(sound, scoresOf(filled.results, sound, sweep.rank, 0), next.most)
      const kept = new Set(places)
      for (const place of sound) if (!kept.has(place)) board.broken[place] = Job.DROPPED
    }
    const found: Found = { rungs: tried, searched }
    return found
  })

/** All trials, as the first rung tells of them: none has been given up there yet. */
const searchedOf = (
  { setup: { recording } }: Runs.Sweep,
  {
    filled: { blocks, sums },
    sound,
    stretch: { from, to }
  }: {
    readonly sound: Uint32Array
    readonly stretch: Stretch
    readonly filled: Pick<Job.Run, "blocks" | "sums">
  }
): Searched => {
  const whole = within(recording, -Infinity, to)
  const measured = daysOf(within(recording, from, to).series).count
  const ratios = sharpesOf({
    count: sound.length,
    blocks,
    days: measured,
    sums: gathered(sound, blocks, sums)
  })
  return {
    count: sound.length,
    variance: varianceOver(ratios, { measured, days: daysOf(whole.series).count })
  }
}
