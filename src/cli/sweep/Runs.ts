// The runs of a sweep on its workers: all places, or what an earlier, cut sweep has left of them, with a live table and a
// progress file.
import * as Effect from "effect/Effect"
import * as BacktestMarkets from "../../trading/backtest/BacktestMarkets.ts"
import type { Family } from "../../trading/Sweep.ts"
import type { Figure } from "../../trading/sweep/SweepFigures.ts"
import { alone, grouped } from "../../trading/sweep/SweepRules.ts"
import * as LiveLines from "../program/liveLines.ts"
import * as Progress from "../program/progress.ts"
import type { Setup } from "./inputs.ts"
import * as Job from "./Job.ts"
import { leaderRows } from "./leaders.ts"
import type { ProgressFile } from "./ProgressFile.ts"
import * as Rules from "./rules.ts"
import * as Workers from "./Workers.ts"

/** What all runs of a sweep share. */
export interface Sweep {
  readonly crew: Workers.Workers
  readonly family: Family
  readonly setup: Setup
  readonly rank: Figure
  readonly json: boolean
  readonly file: ProgressFile | undefined
}

/** Checks all combinations with a progress bar. Those of one rule come one after the other, so that it is read once. */
export const check = (crew: Workers.Workers, board: Job.Board, family: Family, json: boolean) => {
  const total = board.indexes.length
  const groups = family.rule === undefined ? alone(total) : grouped(family.grid, board.indexes, 1)
  return Effect.flatMap(Progress.bar({ unit: "combinations checked", total, json }), ({ clear, show }) =>
    Effect.ensuring(
      Workers.sendAll(crew, board, { _tag: "Check", family, board, groups }, (done) =>
        Effect.sync(() => show(done))
      ),
      Effect.sync(clear)
    )
  )
}

/** Progress is saved at most this often (ms), and once at the end. */
const SAVE_MS = 1_000

/** Back-tests the places of a run that its progress file does not have. */
export const run = (sweep: Sweep, run: Job.Run) =>
  Effect.gen(function* () {
    const { crew, family, file, rank, setup } = sweep
    const { blocks, board, places, results, stretches, sums } = run
    if (file !== undefined) yield* file.restore(run)
    const left = places.filter((place) => board.done[place] === 0)
    const groups = Rules.groupsOf(family, setup, board, { places: left, workers: crew.length })
    const { recording, rule } = setup
    const message: Job.Message = {
      _tag: "Run",
      board,
      groups,
      rule: rule && Job.sharedGround(rule),
      ground: BacktestMarkets.encodeMarkets(setup.ground, recording.series),
      recording: Job.shared(recording),
      stretches,
      results,
      blocks,
      sums
    }
    const live = yield* LiveLines.lines({
      unit: "combinations back-tested",
      total: places.length,
      before: places.length - left.length,
      json: sweep.json
    })
    const rows = () => leaderRows(family.grid, run, rank)
    let savedAt = 0
    const clock = yield* Effect.clock
    const tick = (done: number) =>
      Effect.suspend(() => {
        live.show(done, rows)
        const now = clock.unsafeCurrentTimeMillis()
        if (file === undefined || now - savedAt < SAVE_MS) return Effect.void
        savedAt = now
        return file.save(run)
      })
    yield* Effect.ensuring(Workers.sendAll(crew, board, message, tick), Effect.sync(live.clear))
    if (file !== undefined) yield* file.save(run)
  })
