// False praise: sweeps of many settings over random walks, in which no setting has any skill. How often is the first of
// the ranking said to hold?
import * as Option from "effect/Option"
import * as Decimal from "../../src/domain/Decimal.ts"
import { BLOCK_WIDTH, blocksFor, sumUp } from "../../src/trading/luck/Blocks.ts"
import { dailyReturns, daysOf } from "../../src/trading/luck/DailyReturns.ts"
import * as Luck from "../../src/trading/luck/Luck.ts"
import { trial } from "../../src/trading/Sweep.ts"
import { settings } from "../trading/scenario.ts"
import type { Line } from "./line.ts"
import { ground, HOURS, recordingOf } from "./luckWorld.ts"

/** Sweeps, and the settings of each: take profits by stop losses. */
const SWEEPS = 1000
const PERCENTS = [1, 2, 3, 4, 6]
/** The most sweeps that may be praised, as a share. */
const MOST = 0.05

/** One sweep, ranked by its net result; the verdict on its first place. */
export const verdictOf = (seed: number): Luck.Verdict | undefined => {
  const { alerts, series } = recordingOf(seed)
  const days = daysOf(series)
  const blocks = blocksFor(days.count)
  const grid = PERCENTS.flatMap((takeProfit) => PERCENTS.map((stopLoss) => ({ takeProfit, stopLoss })))
  const sums = new Float64Array(grid.length * blocks * BLOCK_WIDTH)
  let first: { readonly net: number; readonly of: Luck.First } | undefined
  for (const [place, { stopLoss, takeProfit }] of grid.entries()) {
    const chosen = settings({ minProfitPercent: takeProfit, stopLoss: { percent: stopLoss } })
    const made = Option.getOrThrow(trial(chosen, ground, { series, alerts }))
    const returns = dailyReturns(made.ended, days)
    sumUp(returns, blocks, sums, place * blocks * BLOCK_WIDTH)
    const net = made.summary.net_pnl
    if (first !== undefined && net <= first.net) continue
    const results = Float64Array.from(made.ended.result.trades, ({ pnl }) => Decimal.toNumber(pnl))
    first = { net, of: { returns, results, starting: 10_000 } }
  }
  return first && Luck.measure({ count: grid.length, blocks, days: days.count, sums }, first.of).verdict
}

export default async (): Promise<ReadonlyArray<Line>> => {
  const counts = new Map<Luck.Verdict | undefined, number>()
  for (let seed = 1; seed <= SWEEPS; seed++) {
    const verdict = verdictOf(seed)
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  }
  const praised = counts.get("holds") ?? 0
  const text =
    `${SWEEPS} sweeps of ${PERCENTS.length ** 2} settings over random walks of ${HOURS / 24} days: ` +
    `${praised} firsts are said to hold (at most ${MOST * 100} %), ${counts.get("mayBeLuck") ?? 0} may be luck, ` +
    `${counts.get("tooFew") ?? 0} are too few to tell`
  return [{ name: "luck.praise", text, ok: praised <= SWEEPS * MOST && !counts.has("tooFew") }]
}
