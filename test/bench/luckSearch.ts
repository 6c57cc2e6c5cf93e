// False praise where settings are searched by halving or chosen anew walking forward, over random walks; and what measuring
// luck costs a sweep.
import * as Option from "effect/Option"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import { BLOCK_WIDTH, blocksFor, sumUp } from "../../src/trading/luck/Blocks.ts"
import { dailyReturns, daysOf } from "../../src/trading/luck/DailyReturns.ts"
import * as Luck from "../../src/trading/luck/Luck.ts"
import { type Trial, trial } from "../../src/trading/Sweep.ts"
import { rungsOf, survivors, varianceOver } from "../../src/trading/sweep/Halving.ts"
import { order } from "../../src/trading/sweep/SweepRanking.ts"
import { partsOf, type Recording, within } from "../../src/trading/sweep/SweepSplit.ts"
import { join } from "../../src/trading/sweep/WalkCurve.ts"
import { judged, shareAhead, spanOf, stretchesOf } from "../../src/trading/sweep/WalkForward.ts"
import { settings } from "../trading/scenario.ts"
import type { Line } from "./line.ts"
import { ground, recordingOf } from "./luckWorld.ts"

/** Walks and searches of each kind; another number in LUCK_SEEDS, as `from-to`, takes a piece of them. */
const [FROM = 1, TO = 1000] = (process.env["LUCK_SEEDS"] ?? "1-1000").split("-").map(Number)
const PERCENTS = [1, 1.5, 2, 3, 4, 6]
const GRID = PERCENTS.flatMap((minProfitPercent) =>
  PERCENTS.map((percent) => settings({ minProfitPercent, stopLoss: { percent } }))
)
const WALK = { trainDays: 60, testDays: 20, isAnchored: false }
const MOST = 0.05

const tried = (chosen: Settings, recording: Recording): Trial =>
  Option.getOrThrow(trial(chosen, ground, recording))

const sumsOf = (trials: ReadonlyArray<Trial>, recording: Recording) => {
  const days = daysOf(recording.series)
  const blocks = blocksFor(days.count)
  const sums = new Float64Array(trials.length * blocks * BLOCK_WIDTH)
  for (const [place, { ended }] of trials.entries())
    sumUp(dailyReturns(ended, days), blocks, sums, place * blocks * BLOCK_WIDTH)
  return { count: trials.length, blocks, days: days.count, sums }
}

/** The verdict on the first of a search by halving. */
const halved = (seed: number): Luck.Verdict | undefined => {
  const recording = recordingOf(seed)
  const { end } = spanOf(recording.series)
  const rungs = rungsOf(GRID.length, spanOf(recording.series))
  let places = Uint32Array.from(GRID, (_, place) => place)
  let searched: Luck.Searched | undefined
  for (const [at, { from }] of rungs.entries()) {
    const part = within(recording, from, end)
    const trials = Array.from(places, (place) => tried(GRID[place] ?? settings(), part))
    const scores = Float64Array.from(trials, ({ summary }) => summary.roi_pct)
    const sums = sumsOf(trials, part)
    if (at === 0) {
      const days = daysOf(recording.series).count
      const variance = varianceOver(Luck.sharpesOf(sums), { measured: sums.days, days })
      searched = { count: GRID.length, variance }
    }
    const next = rungs[at + 1]
    if (next !== undefined) {
      places = Uint32Array.from(survivors(places, scores, next.most))
      continue
    }
    const first = trials[order(scores)[0] ?? 0]
    if (first === undefined) return undefined
    const returns = dailyReturns(first.ended, daysOf(part.series))
    const results = Float64Array.from(first.ended.result.trades, ({ pnl }) => Decimal.toNumber(pnl))
    return Luck.measure(sums, { returns, results, starting: 10_000 }, searched).verdict
  }
  return undefined
}

/** The verdict on the joined record of a walk. */
const walked = (seed: number): Luck.Verdict => {
  const recording = recordingOf(seed)
  const ahead: Array<number> = []
  const legs = (stretchesOf(recording.series, WALK, 1_000) ?? []).map((stretch) => {
    const { test = recording, train } = partsOf(recording, stretch)
    const roi = (part: Recording) => Float64Array.from(GRID, (chosen) => tried(chosen, part).summary.roi_pct)
    const [first = 0] = order(roi(train))
    ahead.push(shareAhead(roi(test), first) ?? 0)
    return { recording: test, settings: GRID[first] }
  })
  const { results, returns } = join(ground, legs, 10)
  const blocks = blocksFor(returns.length)
  const sums = new Float64Array(blocks * BLOCK_WIDTH)
  sumUp(returns, blocks, sums, 0)
  const joined = { count: 1, blocks, days: returns.length, sums }
  return judged(Luck.measure(joined, { returns, results, starting: 10_000 }), ahead).verdict
}

/** The searches whose verdicts are counted, by name. */
export const METHODS = { halving: halved, walk: walked }

/** How often each verdict was given over the walks of these seeds, both included. */
export const countsOf = (verdictOf: (seed: number) => Luck.Verdict | undefined, from: number, to: number) => {
  const counts = { holds: 0, mayBeLuck: 0, tooFew: 0, none: 0 }
  for (let seed = from; seed <= to; seed++) counts[verdictOf(seed) ?? "none"]++
  return counts
}

const praiseOf = (method: keyof typeof METHODS): Line => {
  const { holds, mayBeLuck, none, tooFew } = countsOf(METHODS[method], FROM, TO)
  const all = TO - FROM + 1
  const text =
    `${all} of ${GRID.length} settings over random walks: ${holds} are said to hold (at most ${MOST * 100} %), ` +
    `${mayBeLuck} may be luck, ${tooFew} are too few to tell`
  return { name: `luck.${method}`, text, ok: holds <= all * MOST && tooFew + none === 0 }
}

/** The most that measuring luck may take of a sweep's time. */
const MOST_COST = 0.25
/** The cost is measured so often; the median counts. */
const COST_ROUNDS = 5

/** Time of the processor (ms) that this process used so far: a busy machine does not lengthen it. */
const usedMs = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

const cost = (): Line => {
  const recording = recordingOf(1)
  const shares = Array.from({ length: COST_ROUNDS }, () => {
    const before = usedMs()
    const trials = GRID.map((chosen) => tried(chosen, recording))
    const between = usedMs()
    sumsOf(trials, recording)
    return (usedMs() - between) / (usedMs() - before)
  }).sort((one, other) => one - other)
  const share = shares[Math.floor(COST_ROUNDS / 2)] ?? 1
  const text = `daily returns and sums of ${GRID.length} back-tests take ${(share * 100).toFixed(1)} % of a sweep's processor time (at most ${MOST_COST * 100} %)`
  return { name: "luck.cost", text, ok: share <= MOST_COST }
}

export default async (): Promise<ReadonlyArray<Line>> => [cost(), praiseOf("halving"), praiseOf("walk")]
