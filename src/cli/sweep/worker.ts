// A worker thread of a sweep: checks combinations, then runs them (see Job.ts). The build makes a file of its own of
// it (scripts/build.ts).
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as BacktestMarkets from "../../trading/backtest/BacktestMarkets.ts"
import { BLOCK_WIDTH, sumUp } from "../../trading/luck/Blocks.ts"
import { dailyReturns, daysOf } from "../../trading/luck/DailyReturns.ts"
import { type Family, settingsOf, trial } from "../../trading/Sweep.ts"
import { WIDTH, write } from "../../trading/sweep/SweepFigures.ts"
import { split } from "../../trading/sweep/SweepSplit.ts"
import { type Board, BROKEN, DONE, type Message, OVERRUN, PLACE_WIDTH, TAKEN } from "./Job.ts"

declare const self: Worker

let job: { readonly family: Family; readonly board: Board } | undefined

self.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data._tag === "Check") job = data
  if (job !== undefined && data._tag === "Check") check(job)
  if (job !== undefined && data._tag === "Run") run(job, data)
  self.postMessage("done")
}

const check = ({ board, family }: { readonly board: Board; readonly family: Family }): void => {
  for (const place of places(board)) {
    if (Either.isLeft(settingsOf(family, board.indexes[place] ?? 0))) board.broken[place] = BROKEN
  }
}

const run = (
  { board, family }: { readonly board: Board; readonly family: Family },
  { blocks, ground, recording, results, splitAt, sums }: Extract<Message, { readonly _tag: "Run" }>
): void => {
  const common = BacktestMarkets.decodeMarkets(ground)
  const parts = splitAt === undefined ? { train: recording, test: undefined } : split(recording, splitAt)
  const days = daysOf(parts.train.series)
  for (const place of places(board)) {
    if (board.broken[place] === BROKEN) continue
    const settings = Either.getOrThrow(settingsOf(family, board.indexes[place] ?? 0))
    const at = place * PLACE_WIDTH
    for (const [part, recording] of [parts.train, parts.test].entries()) {
      if (recording === undefined || board.broken[place] === OVERRUN) continue
      Option.match(trial(settings, common, recording), {
        onNone: () => {
          board.broken[place] = OVERRUN
        },
        onSome: ({ ended, summary }) => {
          write(summary, results, at + part * WIDTH)
          if (part === 0) sumUp(dailyReturns(ended, days), blocks, sums, place * blocks * BLOCK_WIDTH)
        }
      })
    }
  }
}

/** Claims places until none is left. */
function* places({ counts, indexes }: Board): Generator<number> {
  for (;;) {
    const place = Atomics.add(counts, TAKEN, 1)
    if (place >= indexes.length) return
    yield place
    Atomics.add(counts, DONE, 1)
  }
}
