// A worker thread of a sweep: checks combinations, then runs them (see Job.ts). The build makes a file of its own of
// it (scripts/build.ts).
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Settings } from "../../domain/Strategy.ts"
import * as BacktestMarkets from "../../trading/backtest/BacktestMarkets.ts"
import { BLOCK_WIDTH, sumUp } from "../../trading/luck/Blocks.ts"
import { type Days, dailyReturns, daysOf } from "../../trading/luck/DailyReturns.ts"
import { type Family, settingsReader, strategyOf, trial } from "../../trading/Sweep.ts"
import { WIDTH, write } from "../../trading/sweep/SweepFigures.ts"
import { type Groups, ruleNumber, runsByNumber, withAlerts } from "../../trading/sweep/SweepRules.ts"
import { partsOf, type Recording } from "../../trading/sweep/SweepSplit.ts"
import { type Board, BROKEN, DONE, type Message, OVERRUN, OVERRUN_LATER, PLACE_WIDTH, TAKEN } from "./Job.ts"

declare const self: Worker

/** Everything that is tried is of one family. */
let family: Family | undefined

self.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data._tag === "Check") family = data.family
  if (family !== undefined && data._tag === "Check") check(family, data)
  if (family !== undefined && data._tag === "Run") run(family, data)
  self.postMessage("done")
}

const check = (family: Family, { board, groups }: Extract<Message, { readonly _tag: "Check" }>): void => {
  const settingsAt = settingsReader(family)
  for (const group of claimed(board, groups))
    for (const place of group) {
      if (Either.isLeft(settingsAt(board.indexes[place] ?? 0))) board.broken[place] = BROKEN
      Atomics.add(board.counts, DONE, 1)
    }
}

type Run = Extract<Message, { readonly _tag: "Run" }>

const run = (family: Family, message: Run): void => {
  const { blocks, board, ground, groups, recording, stretches } = message
  const markets = BacktestMarkets.decodeMarkets(ground)
  const days = stretches.map((stretch) =>
    blocks === 0 ? undefined : daysOf(partsOf(recording, stretch).train.series)
  )
  const each = board.indexes.length / stretches.length
  for (const group of claimed(board, groups)) {
    const partsAt = partsFor(family, message, group)
    for (const place of group) {
      if (board.broken[place] !== BROKEN) {
        const settings = Either.getOrThrow(strategyOf(family, board.indexes[place] ?? 0))
        const stretch = Math.floor(place / each)
        tryOut(message, { place, settings, markets, days: days[stretch], parts: partsAt(place, stretch) })
      }
      Atomics.store(board.done, place, 1)
      Atomics.add(board.counts, DONE, 1)
    }
  }
}

/** A combination with what it is tried on. */
interface Tried {
  readonly place: number
  readonly settings: Settings
  readonly markets: BacktestMarkets.BacktestMarkets
  readonly days: Days | undefined
  readonly parts: TrainAndTest | undefined
}

const tryOut = (
  { blocks, board: { broken }, results, sums }: Run,
  { days, markets, parts, place, settings }: Tried
): void => {
  for (const [part, recording] of [parts?.train, parts?.test].entries()) {
    if (recording === undefined || broken[place] === OVERRUN) continue
    Option.match(trial(settings, markets, recording), {
      onNone: () => {
        broken[place] = part === 0 ? OVERRUN : OVERRUN_LATER
      },
      onSome: ({ ended, summary }) => {
        write(summary, results, place * PLACE_WIDTH + part * WIDTH)
        if (part === 0 && days !== undefined)
          sumUp(dailyReturns(ended, days), blocks, sums, place * blocks * BLOCK_WIDTH)
      }
    })
  }
}

/** The part that ranks, and the one held out, if any. */
type TrainAndTest = ReturnType<typeof partsOf>

/**
 * The candles and alerts of each place of a group and its stretch. A rule raises its alerts once for all places that have
 * it. The cut of the last place is kept for the next one, and no other, so that many stretches take no memory.
 */
const partsFor = (
  { grid, rule }: Family,
  { board: { broken, indexes }, recording, rule: ground, stretches }: Run,
  group: Uint32Array
): ((place: number, stretch: number) => TrainAndTest | undefined) => {
  const sound = group.filter((place) => broken[place] !== BROKEN)
  const raised =
    rule === undefined || ground === undefined
      ? undefined
      : runsByNumber(
          { rule, grid },
          Array.from(sound, (place) => indexes[place] ?? 0),
          ground
        )
  let last: { readonly of: Recording; readonly stretch: number; readonly parts: TrainAndTest } | undefined
  const recordings = new Map(
    [...(raised ?? [])].map(([number, run]) => [number, withAlerts(recording, run)] as const)
  )
  return (place, at) => {
    const of = raised === undefined ? recording : recordings.get(ruleNumber(grid, indexes[place] ?? 0))
    const stretch = stretches[at]
    if (of === undefined || stretch === undefined) return undefined
    if (last?.of !== of || last.stretch !== at) last = { of, stretch: at, parts: partsOf(of, stretch) }
    return last.parts
  }
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
