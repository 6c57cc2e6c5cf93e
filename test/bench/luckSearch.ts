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

const praiseOf = (name: string, verdictOf: (seed: number) => Luck.Verdict | undefined): Line => {
  const counts = new Map<Luck.Verdict | undefined, number>()
  for (let seed = FROM; seed <= TO; seed++) {
    const verdict = verdictOf(seed)
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  }
  const [all, praised] = [TO - FROM + 1, counts.get("holds") ?? 0]
  const text =
    `${all} of ${GRID.length} settings over random walks: ${praised} are said to hold (at most ${MOST * 100} %), ` +
    `${counts.get("mayBeLuck") ?? 0} may be luck, ${counts.get("tooFew") ?? 0} are too few to tell`
  return { name, text, ok: praised <= all * MOST && !counts.has("tooFew") }
}

/** The most that measuring luck may take of a sweep's time. */
const MOST_COST = 0.25

const cost = (): Line => {
  const recording = recordingOf(1)
  const begun = performance.now()
  const trials = GRID.map((chosen) => tried(chosen, recording))
  const back = performance.now() - begun
  const sums = sumsOf(trials, recording)
  const luck = performance.now() - begun - back
  const share = luck / (luck + back)
  const text = `daily returns and sums of ${sums.count} back-tests take ${(share * 100).toFixed(1)} % of a sweep's time (at most ${MOST_COST * 100} %)`
  return { name: "luck.cost", text, ok: share <= MOST_COST }
}

export default async (): Promise<ReadonlyArray<Line>> => [
  cost(),
  praiseOf("luck.halving", halved),
  praiseOf("luck.walk", walked)
]
