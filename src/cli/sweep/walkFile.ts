// Writes a walk as JSON or CSV.
import type { Summary } from "../../domain/Performance.ts"
import { figuresOf, shownPoint } from "../../trading/equity/Figures.ts"
import { MONEY_PLACES, rounded } from "../../trading/Performance.ts"
import { FIGURES } from "../../trading/sweep/SweepFigures.ts"
import { combination, fields, valueText } from "../../trading/sweep/SweepGrid.ts"
import * as Fills from "../backtest/fills.ts"
import { luckJson } from "./luckText.ts"
import { rounded as toFour } from "./ResultFile.ts"
import type { WalkOutcome } from "./walk.ts"
import { gainOf } from "./walkText.ts"

/** The JSON of `sweep --walk-forward --json`. Times in ms; shares and the efficiency are fractions. */
export const json = (outcome: WalkOutcome): string => {
  const { combinations, efficiency, fillModel, grid, joined, ran, rank, skipped, stability, steps, walk } =
    outcome
  const { halvings: _, overfitting, ...luck } = luckJson(outcome.luck)
  return JSON.stringify({
    walk_forward: { train_days: walk.trainDays, test_days: walk.testDays, anchored: walk.isAnchored },
    combinations,
    ran,
    skipped,
    rank,
    stretches: steps.map(({ choice, leg, stretch }) => ({
      train_from: stretch.from,
      test_from: stretch.testFrom,
      test_to: stretch.to,
      chosen: choice === undefined ? null : fields(grid, choice.index),
      train: choice?.train ?? null,
      test: choice?.test ?? null,
      test_ahead: four(choice?.ahead),
      starting_equity: leg.starting,
      ending_equity: leg.ending,
      return_pct: toFour(gainOf({ leg }) * 100),
      trades: leg.trades,
      overran: leg.overran
    })),
    joined: { ...markedOf(outcome), trades: joined.results.length, points: joined.points.map(shownPoint) },
    train_per_day_pct: toFour(efficiency.train * 100),
    test_per_day_pct: toFour(efficiency.test * 100),
    efficiency: four(efficiency.efficiency),
    stability: stability.map(({ share, value, ...row }) => ({ ...row, value, share: toFour(share) })),
    luck: { ...luck, lower_half: overfitting },
    ...(fillModel === undefined ? {} : { fills: Fills.jsonOf(fillModel) })
  })
}

const four = (value: number | undefined): number | null => (value === undefined ? null : toFour(value))

/** The figures of the joined record. */
export const markedOf = ({ currency, joined: { state } }: WalkOutcome) => {
  const { marked } = figuresOf({ currency, state, hold: null, groups: [] })
  const { hold_return_pct: _, longest_drawdown_seconds: __, ...figures } = marked
  return figures
}

/** The CSV: a row for each stretch, plain decimals, and an empty cell for null. A fill model has a column of its own. */
export function* csv({ fillModel, grid, steps }: WalkOutcome): Generator<string> {
  const names = grid.map(({ field }) => field)
  const parts = ["train", "test"].flatMap((part) => ["period", ...FIGURES].map((name) => `${part}_${name}`))
  const fills = Fills.cellOf(fillModel)
  const head = ["train_from", "test_from", "test_to", ...names, ...parts, "return_pct", "equity"]
  yield `${[...head, ...fills.head].join(",")}\n`
  for (const { choice, leg, stretch } of steps) {
    const values = choice === undefined ? names.map(() => null) : combination(grid, choice.index)
    const cells = [
      ...[stretch.from, stretch.testFrom, stretch.to].map((time) => new Date(time).toISOString()),
      ...values.map(valueText),
      ...cellsOf(choice?.train),
      ...cellsOf(choice?.test),
      valueText(toFour(gainOf({ leg }) * 100)),
      valueText(rounded(leg.ending, MONEY_PLACES)),
      ...fills.cell
    ]
    yield `${cells.join(",")}\n`
  }
}

const cellsOf = (summary: Summary | undefined): ReadonlyArray<string> =>
  summary === undefined
    ? ["", ...FIGURES.map(() => "")]
    : [
        `${summary.period.start}/${summary.period.end}`,
        ...FIGURES.map((figure) => valueText(summary[figure]))
      ]
