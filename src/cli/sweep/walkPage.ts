// What the report of a walk shows, made from its outcome.
import { figuresOf, pointInSeconds } from "../../trading/equity/Figures.ts"
import { combination, valueText } from "../../trading/sweep/SweepGrid.ts"
import type { Recording } from "../../trading/sweep/SweepSplit.ts"
import type { WalkReport, WalkRow } from "../../web/page/report/report.ts"
import { settingsShown, stretchesOf } from "../backtest/backtestReport.ts"
import { rounded } from "./ResultFile.ts"
import { listOf } from "./sweepReport.ts"
import type { Step, WalkOutcome } from "./walk.ts"
import { gainOf, walkLines } from "./walkText.ts"

/** The page's name, title and data. `body` is the strategy's file. */
export const walkReport = (
  outcome: WalkOutcome,
  body: Readonly<Record<string, unknown>>,
  { series }: Recording
): Pick<WalkReport, "page" | "title" | "data"> => {
  const { currency, efficiency, grid, joined, rank, stability, steps } = outcome
  const { name } = body
  const { marked } = figuresOf({ currency, state: joined.state, hold: null, groups: [] })
  return {
    page: "walk",
    title: `${typeof name === "string" ? name : "Strategy"}: walk forward`,
    data: {
      fields: grid.map(({ field }) => field),
      values: grid.map(listOf),
      rank,
      currency,
      lines: walkLines(outcome),
      points: joined.points.map(pointInSeconds),
      marked,
      train_per_day_pct: rounded(efficiency.train * 100),
      test_per_day_pct: rounded(efficiency.test * 100),
      efficiency_pct: efficiency.efficiency === undefined ? null : rounded(efficiency.efficiency * 100),
      rows: steps.map((step) => rowOf(outcome, step)),
      stability: stability.map(({ share, value, ...row }) => ({
        ...row,
        value: value || "-",
        share_pct: rounded(share * 100)
      })),
      settings: settingsShown(body),
      candles: stretchesOf(series)
    }
  }
}

const rowOf = ({ grid, rank }: WalkOutcome, step: Step): WalkRow => {
  const { choice, leg, stretch } = step
  return {
    train_from: seconds(stretch.from),
    test_from: seconds(stretch.testFrom),
    test_to: seconds(stretch.to),
    values:
      choice === undefined
        ? grid.map(() => "-")
        : combination(grid, choice.index).map((value) => valueText(value) || "-"),
    train: choice?.train[rank] ?? null,
    test: choice?.test?.[rank] ?? null,
    return_pct: rounded(gainOf(step) * 100),
    ending: leg.ending,
    trades: leg.trades
  }
}

const seconds = (at: number): number => Math.floor(at / 1000)
