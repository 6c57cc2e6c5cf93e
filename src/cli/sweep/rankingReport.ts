// Prints the ranking of a sweep as a table (its columns stand here), and how much of the figures may be luck.
import type { Summary } from "../../domain/Performance.ts"
import { MAX_DECISIONS } from "../../trading/Overrun.ts"
import type { Figure } from "../../trading/sweep/SweepFigures.ts"
import { combinationText, valueText } from "../../trading/sweep/SweepGrid.ts"
import { median } from "../../trading/sweep/SweepRanking.ts"
import { wordsOf } from "../backtest/fills.ts"
import { ruleJson, ruleText } from "../backtest/ruleReport.ts"
import { columns, moment } from "../program/table.ts"
import { luckLines } from "./luckText.ts"
import { type Line, lineOf, type Outcome } from "./RankedResults.ts"
import { rounded } from "./ResultFile.ts"
import { rungsText } from "./rungs.ts"

export const report = (outcome: Outcome, top: number): string => {
  const lines = [...outcome.ranked.subarray(0, top)].map((place) => lineOf(outcome, place))
  const { rule } = outcome
  const first =
    rule === undefined ? [] : ["In the first place:", ...ruleText(ruleJson(rule.outcome, rule.lists))]
  return [table(outcome, lines), ...first, caution(outcome)].join("\n\n")
}

/** Figures shown beside the ranking's own. */
const BESIDE: ReadonlyArray<Figure> = ["max_drawdown_pct", "trade_count"]

const table = (outcome: Outcome, lines: ReadonlyArray<Line>): string => {
  const { grid, rank, splitAt } = outcome
  const figures = [rank, ...BESIDE.filter((figure) => figure !== rank)]
  const names = grid.map(({ field }) => field)
  const parts = splitAt === undefined ? ["train"] : ["train", "test"]
  const head = ["#", ...names, ...figures.flatMap((figure) => parts.map((part) => `${part}_${figure}`))]
  const rows = lines.map(({ test, train, values }, position) => [
    String(position + 1),
    ...names.map((name) => valueText(values[name] ?? null) || "-"),
    ...figures.flatMap((figure) =>
      test === undefined ? [cell(train, figure)] : [cell(train, figure), cell(test, figure)]
    )
  ])
  return columns(head, rows)
}

const cell = (summary: Summary, figure: Figure): string => valueText(summary[figure]) || "-"

/** Warns of overfitting: how many combinations were tried, how the first did in the held-out part, and its luck. */
export const caution = (outcome: Outcome): string => {
  const [place] = outcome.ranked
  const first = place === undefined ? undefined : lineOf(outcome, place)
  const { agreement, combinations, fillModel, holdout, luck, rank, ranked, skipped, splitAt } = outcome
  const halved = outcome.rungs === undefined ? "" : `\n${rungsText(outcome.rungs)}`
  const nearer = fillModel === undefined ? "" : `${wordsOf(fillModel)}\n`
  const tried = `${nearer}${ranked.length + outcome.dropped + outcome.overrun.length} of ${combinations} combinations were tried${
    skipped === 0 ? "" : `, ${skipped} were invalid and skipped`
  }; ranked by ${rank} in train.${halved}${overran(outcome)}`
  const trap = "The first of many tries looks better than it is: part of its figure is luck."
  const measured = luck === undefined ? [] : luckLines(luck.measured, luck.currency)
  if (splitAt === undefined || first?.test === undefined)
    return [tried, `${trap} Nothing was held out, so test cannot tell how much.`, ...measured].join("\n")
  const kept = [
    `${tried}\n${trap} Look at test: the last ${valueText(holdout)} % of the time, from ${moment(splitAt / 1000)} UTC, which the ranking did not use.`,
    `The first has a ${rank} of ${cell(first.train, rank)} in train and ${cell(first.test, rank)} in test; the median of all in test is ${valueText(middle(outcome))}.`
  ]
  if (agreement !== undefined) {
    const words = "1: the same order, 0: train says nothing about test, -1: the opposite"
    kept.push(`The order in train agrees with that in test by ${valueText(rounded(agreement))} (${words}).`)
  }
  return [...kept, ...measured].join("\n")
}

/** How many of those that overran are named: `--json` holds all. */
const NAMED = 3

const overran = ({ board, grid, overrun }: Outcome): string => {
  if (overrun.length === 0) return ""
  const named = Array.from(overrun.subarray(0, NAMED), (place) =>
    combinationText(grid, board.indexes[place] ?? 0)
  )
  const rest = overrun.length > NAMED ? "; and others" : ""
  return `\n${overrun.length} of them overran and have no result, since their bot acts over ${MAX_DECISIONS} times on one event: ${named.join("; ")}${rest}.`
}

const middle = (outcome: Outcome): number => {
  const figures = [...outcome.ranked].flatMap((place) => lineOf(outcome, place).test?.[outcome.rank] ?? [])
  return median(Float64Array.from(figures)) ?? 0
}
