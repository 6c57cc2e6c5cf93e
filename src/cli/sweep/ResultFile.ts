// Writes the rows of a sweep as JSON or CSV, piece by piece: there may be a million.
import type { Summary } from "../../domain/Performance.ts"
import { FIGURES } from "../../trading/sweep/SweepFigures.ts"
import { fields, valueText } from "../../trading/sweep/SweepGrid.ts"
import * as Fills from "../backtest/fills.ts"
import { ruleJson } from "../backtest/ruleReport.ts"
import { luckJson } from "./luckText.ts"
import { lineOf, type Outcome } from "./RankedResults.ts"

/** The JSON of `sweep --json`. */
export function* json(outcome: Outcome): Generator<string> {
  const {
    agreement,
    combinations,
    fillModel,
    grid,
    holdout,
    luck,
    overrun,
    rank,
    ranked,
    rule,
    skipped,
    splitAt
  } = outcome
  const head = {
    combinations,
    ran: ranked.length,
    skipped,
    ...(outcome.rungs === undefined ? {} : { dropped: outcome.dropped, rungs: outcome.rungs }),
    overrun: Array.from(overrun, (place) => fields(grid, outcome.board.indexes[place] ?? 0)),
    holdout,
    split_at: splitAt ?? null,
    rank,
    rank_correlation: agreement === undefined ? null : rounded(agreement),
    luck: luck === undefined ? null : luckJson(luck.measured),
    ...(fillModel === undefined ? {} : { fills: Fills.jsonOf(fillModel) }),
    ...(rule === undefined ? {} : { rule: ruleJson(rule.outcome, rule.lists) })
  }
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`
  for (const [position, place] of ranked.entries()) {
    const { test, train, values } = lineOf(outcome, place)
    const row = { ...values, ...prefixed("train", train), ...(test && prefixed("test", test)) }
    yield `${position === 0 ? "" : ","}${JSON.stringify(row)}`
  }
  yield "]}\n"
}

/** The CSV: a header, plain decimals, and an empty cell for null. A fill model is named in a column of its own. */
export function* csv(outcome: Outcome): Generator<string> {
  const names = outcome.grid.map(({ field }) => field)
  const parts = outcome.splitAt === undefined ? ["train"] : ["train", "test"]
  const figures = parts.flatMap((part) => ["period", ...FIGURES].map((name) => `${part}_${name}`))
  const fills = Fills.cellOf(outcome.fillModel)
  yield `${[...names, ...figures, ...fills.head].join(",")}\n`
  for (const place of outcome.ranked) {
    const { test, train, values } = lineOf(outcome, place)
    const cells = [...names.map((name) => valueText(values[name] ?? null)), ...cellsOf(train)]
    yield `${[...cells, ...(test === undefined ? [] : cellsOf(test)), ...fills.cell].join(",")}\n`
  }
}

const prefixed = (part: string, summary: Summary) => {
  const { period, ...figures } = summary
  return Object.fromEntries(
    Object.entries({ period, ...figures }).map(([name, value]) => [`${part}_${name}`, value])
  )
}

const cellsOf = (summary: Summary): ReadonlyArray<string> => [
  `${summary.period.start}/${summary.period.end}`,
  ...FIGURES.map((figure) => valueText(summary[figure]))
]

export const rounded = (value: number): number => Number(value.toFixed(4))
