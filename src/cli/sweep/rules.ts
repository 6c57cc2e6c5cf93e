// The rule of a sweep: how combinations are grouped by it, and what it raises in the first place of the ranking.
import * as Either from "effect/Either"
import type { Outcome as BacktestOutcome } from "../../trading/backtest/BacktestView.ts"
import type { Family } from "../../trading/Sweep.ts"
import {
  alone,
  type Groups,
  grouped,
  ruleNumber,
  ruleOf,
  rulesPerGroup,
  runsByNumber,
  withAlerts
} from "../../trading/sweep/SweepRules.ts"
import type { Recording } from "../../trading/sweep/SweepSplit.ts"
import type { Setup } from "./inputs.ts"
import type { Board } from "./Job.ts"
import type { Outcome } from "./RankedResults.ts"

/** The groups in which some places of a sweep are tried by so many workers. */
export const groupsOf = (
  { grid, rule }: Family,
  { rule: ground }: Setup,
  { broken, indexes }: Board,
  { places, workers }: { readonly places: Uint32Array; readonly workers: number }
): Groups => {
  const own = Float64Array.from(places, (place) => indexes[place] ?? 0)
  const sound = own.find((_, at) => broken[places[at] ?? 0] === 0)
  if (rule === undefined || ground === undefined || sound === undefined)
    return { ...alone(places.length), order: places }
  const first = Either.getOrThrow(ruleOf({ rule, grid }, sound))
  const rules = new Set(Array.from(own, (index) => ruleNumber(grid, index))).size
  const { order, starts } = grouped(grid, own, rulesPerGroup(first, ground, { rules, workers }))
  return { order: order.map((at) => places[at] ?? 0), starts }
}

/** The rule of the first place with what it raised, and the recording with its alerts. */
export interface First {
  readonly recording: Recording
  readonly rule: NonNullable<BacktestOutcome["rule"]> | undefined
}

/** The first place of a ranking. Without a rule all places have the same recording. */
export const firstOf = (
  { board, ranked }: Pick<Outcome, "board" | "ranked">,
  { grid, rule }: Family,
  { recording, rule: ground }: Setup,
  name: string
): First => {
  const index = board.indexes[ranked[0] ?? Number.NaN]
  if (rule === undefined || ground === undefined || index === undefined) return { recording, rule: undefined }
  const run = runsByNumber({ rule, grid }, [index], ground).get(ruleNumber(grid, index))
  const tested = Either.getOrThrow(ruleOf({ rule, grid }, index))
  return run === undefined
    ? { recording, rule: undefined }
    : { recording: withAlerts(recording, run), rule: { name, tested, ground, run } }
}
