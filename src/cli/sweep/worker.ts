// A worker thread of a sweep: checks combinations, then runs them (see Job.ts). The build makes a file of its own of
// it (scripts/build.ts).
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Settings } from "../../domain/Strategy.ts"
import * as BacktestMarkets from "../../trading/backtest/BacktestMarkets.ts"
import { BLOCK_WIDTH, sumUp } from "../../trading/luck/Blocks.ts"
import { dailyReturns, daysOf } from "../../trading/luck/DailyReturns.ts"
import { type Family, settingsReader, strategyOf, trial } from "../../trading/Sweep.ts"
import { WIDTH, write } from "../../trading/sweep/SweepFigures.ts"
import { type Groups, ruleNumber, runsByNumber, withAlerts } from "../../trading/sweep/SweepRules.ts"
import { type Parts, type Recording, split } from "../../trading/sweep/SweepSplit.ts"
import { type Board, BROKEN, DONE, type Message, OVERRUN, PLACE_WIDTH, TAKEN } from "./Job.ts"

declare const self: Worker

/** What there is to try. */
interface Task {
  readonly family: Family
  readonly board: Board
}

let job: Task | undefined

self.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data._tag === "Check") job = data
  if (job !== undefined && data._tag === "Check") check(job, data.groups)
  if (job !== undefined && data._tag === "Run") run(job, data)
  self.postMessage("done")
}

const check = ({ board, family }: Task, all: Groups): void => {
  const settingsAt = settingsReader(family)
  for (const group of claimed(board, all))
    for (const place of group) {
      if (Either.isLeft(settingsAt(board.indexes[place] ?? 0))) board.broken[place] = BROKEN
      Atomics.add(board.counts, DONE, 1)
    }
}

type Run = Extract<Message, { readonly _tag: "Run" }>

const run = (task: Task, message: Run): void => {
  const { board, family } = task
  const { ground, groups, recording, splitAt } = message
  const markets = BacktestMarkets.decodeMarkets(ground)
  const shared = partsOf(recording, splitAt)
  const days = daysOf(shared.train.series)
  for (const group of claimed(board, groups)) {
    const partsAt = partsFor(task, message, { group, shared })
    for (const place of group) {
      if (board.broken[place] !== BROKEN) {
        const settings = Either.getOrThrow(strategyOf(family, board.indexes[place] ?? 0))
        tryOut(board, message, { place, settings, markets, days, parts: partsAt(place) })
      }
      Atomics.add(board.counts, DONE, 1)
    }
  }
}

/** A combination with what it is tried on. */
interface Tried {
  readonly place: number
  readonly settings: Settings
  readonly markets: BacktestMarkets.BacktestMarkets
  readonly days: ReturnType<typeof daysOf>
  readonly parts: TrainAndTest
}

const tryOut = (
  { broken }: Board,
  { blocks, results, sums }: Run,
  { days, markets, parts, place, settings }: Tried
): void => {
  for (const [part, recording] of [parts.train, parts.test].entries()) {
    if (recording === undefined || broken[place] === OVERRUN) continue
    Option.match(trial(settings, markets, recording), {
      onNone: () => {
        broken[place] = OVERRUN
      },
      onSome: ({ ended, summary }) => {
        write(summary, results, place * PLACE_WIDTH + part * WIDTH)
        if (part === 0) sumUp(dailyReturns(ended, days), blocks, sums, place * blocks * BLOCK_WIDTH)
      }
    })
  }
}

/** The part that ranks, and the one held out, if any. */
type TrainAndTest = Pick<Parts, "train"> & Partial<Parts>

const partsOf = (recording: Recording, splitAt: number | undefined): TrainAndTest =>
  splitAt === undefined ? { train: recording } : split(recording, splitAt)

/** The candles and alerts of each place of a group. A rule raises its alerts once for all places that have it. */
const partsFor = (
  { board: { broken, indexes }, family: { grid, rule } }: Task,
  { recording, rule: ground, splitAt }: Run,
  { group, shared }: { readonly group: Uint32Array; readonly shared: TrainAndTest }
): ((place: number) => TrainAndTest) => {
  if (rule === undefined || ground === undefined) return () => shared
  const sound = group.filter((place) => broken[place] !== BROKEN)
  const runs = runsByNumber(
    { rule, grid },
    Array.from(sound, (place) => indexes[place] ?? 0),
    ground
  )
  const parts = new Map(
    [...runs].map(([number, run]) => [number, partsOf(withAlerts(recording, run), splitAt)] as const)
  )
  return (place) => parts.get(ruleNumber(grid, indexes[place] ?? 0)) ?? shared
}

/** Claims groups of places until none is left. */
function* claimed({ counts }: Board, { order, starts }: Groups): Generator<Uint32Array> {
  for (;;) {
    const group = Atomics.add(counts, TAKEN, 1)
    const [from, to] = [starts[group], starts[group + 1]]
    if (from === undefined || to === undefined) return
    yield order.subarray(from, to)
  }
}
