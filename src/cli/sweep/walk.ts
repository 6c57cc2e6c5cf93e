// `sweep --walk-forward`: tries all combinations on every stretch, chooses the first of each by its train alone, and joins
// the tests of the chosen ones to one record.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { FillModel } from "../../domain/fills/FillModel.ts"
import type { Summary } from "../../domain/Performance.ts"
import { BLOCK_WIDTH, blocksFor, sumUp } from "../../trading/luck/Blocks.ts"
import * as Luck from "../../trading/luck/Luck.ts"
import { type Family, strategyOf } from "../../trading/Sweep.ts"
import { type Figure, read, WIDTH } from "../../trading/sweep/SweepFigures.ts"
import { count, type Grid } from "../../trading/sweep/SweepGrid.ts"
import { order } from "../../trading/sweep/SweepRanking.ts"
import { ruleNumber, runsByNumber, withAlerts } from "../../trading/sweep/SweepRules.ts"
import { type Recording, within } from "../../trading/sweep/SweepSplit.ts"
import { type Joined, join, type Leg, type LegResult } from "../../trading/sweep/WalkCurve.ts"
import {
  DAY_MS,
  type Efficiency,
  efficiencyOf,
  judged,
  type Stability,
  shareAhead,
  spanOf,
  stabilityOf,
  stretchesOf,
  type WalkForward,
  type WalkStretch
} from "../../trading/sweep/WalkForward.ts"
import { usage } from "../program/usage.ts"
import { MAX_TRIED, type Setup } from "./inputs.ts"
import * as Job from "./Job.ts"
import { scoresOf } from "./RankedResults.ts"
import * as Runs from "./Runs.ts"

/** What was chosen on a stretch: the combination, its figures, and the share of the others that did better in test. */
export interface Choice {
  readonly index: number
  readonly train: Summary
  /** Undefined where its bot overran in test. */
  readonly test: Summary | undefined
  readonly ahead: number | undefined
}

/** A stretch with its choice, if any combination had a result, and its part of the joined record. */
export interface Step {
  readonly stretch: WalkStretch
  readonly choice: Choice | undefined
  readonly leg: LegResult
}

/** The result of a walk. `ran` are the valid combinations that were tried on every stretch. */
export interface WalkOutcome {
  readonly grid: Grid
  readonly combinations: number
  readonly ran: number
  readonly skipped: number
  readonly rank: Figure
  readonly walk: WalkForward
  readonly currency: string
  /** How fills were made nearer to life, if they were. */
  readonly fillModel: FillModel | undefined
  readonly steps: ReadonlyArray<Step>
  readonly joined: Joined
  readonly efficiency: Efficiency
  readonly stability: ReadonlyArray<Stability>
  readonly luck: Luck.Luck
}

/** The most stretches of a walk. */
const MOST_STRETCHES = 1_000
/** Points of the joined curve. */
const MOST_POINTS = 500
/** Points of a curve of which only the end is wanted. */
const FEW_POINTS = 5

/** The stretches of a walk; refused where there is none, or too much to try. */
export const stretchesFor = ({ series }: Recording, board: Job.Board, walk: WalkForward) => {
  const combinations = board.indexes.length
  const most = Math.min(MOST_STRETCHES, Math.floor(MAX_TRIED / combinations))
  const found = stretchesOf(series, walk, most)
  const { end, first } = spanOf(series)
  const { testDays, trainDays } = walk
  if (found === undefined)
    return usage(
      `--walk-forward ${trainDays}/${testDays} makes more than ${most} stretches, which is the most for ${combinations} combinations: use longer stretches${combinations > MAX_TRIED / MOST_STRETCHES ? ", or --sample N" : ""}`
    )
  return found.length > 0
    ? Effect.succeed(found)
    : usage(
        `--walk-forward ${trainDays}/${testDays} takes more than ${trainDays} days, and the candles are of ${Number(((end - first) / DAY_MS).toFixed(2))}: use shorter stretches`
      )
}

interface Plan {
  readonly board: Job.Board
  readonly walk: WalkForward
  readonly stretches: ReadonlyArray<WalkStretch>
  readonly currency: string
}

/** Walks forward. */
export const walk = (sweep: Runs.Sweep, { board, currency, stretches, walk }: Plan) =>
  Effect.gen(function* () {
    const { family, rank, setup } = sweep
    const each = board.indexes.length
    const all = Job.boardOf(stretches.flatMap(() => Array.from(board.indexes)))
    for (let place = 0; place < all.broken.length; place++)
      all.broken[place] = board.broken[place % each] ?? 0
    const results = Job.numbers(all.indexes.length * Job.PLACE_WIDTH)
    const places = Uint32Array.from(all.indexes, (_, place) => place)
    const run = { round: 0, board: all, results, blocks: 0, sums: Job.numbers(0), places, stretches }
    yield* Runs.run(sweep, run)

    const choices = stretches.map((_, stretch) =>
      choiceOf(run, places.subarray(stretch * each, (stretch + 1) * each), rank)
    )
    const legs = legsOf(family, setup, { choices, stretches })
    const joined = join(setup.ground, legs.test, MOST_POINTS)
    const gains = legs.train.map((leg) => gainOf(join(setup.ground, [leg], FEW_POINTS).legs[0]))
    const chosen = choices.flatMap((choice) => (choice === undefined ? [] : [choice]))
    const skipped = board.broken.reduce((sum, code) => sum + (code === Job.BROKEN ? 1 : 0), 0)
    const outcome: WalkOutcome = {
      grid: family.grid,
      combinations: count(family.grid),
      ran: each - skipped,
      skipped,
      rank,
      walk,
      currency,
      fillModel: setup.ground.fillModel,
      steps: stretches.flatMap((stretch, at) => {
        const leg = joined.legs[at]
        return leg === undefined ? [] : [{ stretch, choice: choices[at], leg }]
      }),
      joined,
      efficiency: efficiencyOf(
        stretches.map(({ from, testFrom, to }, at) => ({
          train: gains[at] ?? 0,
          trainDays: (testFrom - from) / DAY_MS,
          test: gainOf(joined.legs[at]),
          testDays: (to - testFrom) / DAY_MS
        }))
      ),
      stability: stabilityOf(
        family.grid,
        chosen.map(({ index }) => index)
      ),
      luck: judged(
        luckOf(joined),
        chosen.flatMap(({ ahead }) => ahead ?? [])
      )
    }
    return outcome
  })

const gainOf = (leg: LegResult | undefined): number =>
  leg === undefined || leg.starting <= 0 ? 0 : leg.ending / leg.starting - 1

/** The first of a stretch by its train. Nothing that happened in test may change it, an overrun there included. */
const choiceOf = ({ board, results }: Job.Run, places: Uint32Array, rank: Figure): Choice | undefined => {
  const sound = places.filter((place) => [0, Job.OVERRUN_LATER].includes(board.broken[place] ?? 0))
  const [position] = order(scoresOf(results, sound, rank, 0))
  const place = position === undefined ? undefined : sound[position]
  if (position === undefined || place === undefined) return undefined
  const isVoid = (one: number) => board.broken[one] === Job.OVERRUN_LATER
  const later = scoresOf(results, sound, rank, 1).map((score, at) =>
    isVoid(sound[at] ?? 0) ? -Infinity : score
  )
  return {
    index: board.indexes[place] ?? 0,
    train: read(results, place * Job.PLACE_WIDTH),
    test: isVoid(place) ? undefined : read(results, place * Job.PLACE_WIDTH + WIDTH),
    ahead: shareAhead(later, position)
  }
}

/** The trains and tests of the choices, each with the alerts of its own rule where rules raise them. */
const legsOf = (
  family: Family,
  { recording, rule: ground }: Setup,
  {
    choices,
    stretches
  }: { readonly choices: ReadonlyArray<Choice | undefined>; readonly stretches: ReadonlyArray<WalkStretch> }
): { readonly train: ReadonlyArray<Leg>; readonly test: ReadonlyArray<Leg> } => {
  const { grid, rule } = family
  const indexes = choices.flatMap((choice) => (choice === undefined ? [] : [choice.index]))
  const runs =
    rule === undefined || ground === undefined ? undefined : runsByNumber({ rule, grid }, indexes, ground)
  const pairs = stretches.map(({ from, testFrom, to }, at) => {
    const index = choices[at]?.index
    const raised = index === undefined ? undefined : runs?.get(ruleNumber(grid, index))
    const heard = raised === undefined ? recording : withAlerts(recording, raised)
    const settings = index === undefined ? undefined : Either.getOrThrow(strategyOf(family, index))
    return {
      train: { recording: within(heard, from, testFrom), settings },
      test: { recording: within(heard, testFrom, to), settings }
    }
  })
  return { train: pairs.map(({ train }) => train), test: pairs.map(({ test }) => test) }
}

/** The luck in the joined record, which is a trial of its own. */
const luckOf = ({ results, returns, state: { starting } }: Joined): Luck.Luck => {
  const days = returns.length
  const blocks = blocksFor(days)
  const sums = new Float64Array(blocks * BLOCK_WIDTH)
  sumUp(returns, blocks, sums, 0)
  return Luck.measure({ count: 1, blocks, days, sums }, { returns, results, starting })
}
