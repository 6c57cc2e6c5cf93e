// What the report of a sweep shows, made from its outcome. Maps are worked out over all combinations; of the ranking and
// of long grids the page holds a part, so that a file of a million combinations still opens.
import { ruleViewOf } from "../../trading/backtest/BacktestView.ts"
import type { Figure } from "../../trading/sweep/SweepFigures.ts"
import { type Axis, combination, type Grid, valueText } from "../../trading/sweep/SweepGrid.ts"
import {
  cellValue,
  groupText,
  type Measure,
  mapOf,
  type Part,
  type Tried,
  varying
} from "../../trading/sweep/SweepMap.ts"
import { RANKS, shadingOf } from "../../trading/sweep/SweepRanking.ts"
import type { Recording } from "../../trading/sweep/SweepSplit.ts"
import type { SweepData, SweepMapData, SweepReport } from "../../web/page/report/report.ts"
import { settingsShown, stretchesOf } from "../backtest/backtestReport.ts"
import { type Outcome, triedOf } from "./RankedResults.ts"
import { caution } from "./rankingReport.ts"

/** Rows of the ranking and dots of the comparison. */
const MOST_ROWS = 1_000
const MOST_DOTS = 1_000
/** Settings among which the page chooses the two of its map, and the numbers of all maps together. */
const MOST_FIELDS = 8
const MOST_MAP_NUMBERS = 80_000
/** Alerts of the first place's rule. */
const MOST_ALERTS = 1_200
/** Values of a field that the page lists. */
const MOST_VALUES = 100

/** The figures of a row, besides the ranking's own. */
const SHOWN: ReadonlyArray<Figure> = [
  "roi_pct",
  "net_pnl",
  "max_drawdown_pct",
  "win_rate_pct",
  "profit_factor",
  "trade_count",
  "fees_paid"
]

/** The page's name, title and data. `body` is the strategy's file. */
export const reportOf = (
  outcome: Outcome,
  body: Readonly<Record<string, unknown>>,
  { series }: Recording
): Pick<SweepReport, "page" | "title" | "data"> => {
  const { grid, rank, rule, splitAt } = outcome
  const tried = triedOf(outcome)
  const parts: ReadonlyArray<Part> = splitAt === undefined ? ["train"] : ["train", "test"]
  const shown = [rank, ...SHOWN.filter((figure) => figure !== rank)]
  const { name } = body
  return {
    page: "sweep",
    title: `${typeof name === "string" ? name : "Strategy"}: sweep`,
    data: {
      fields: grid.map(({ field }) => field),
      values: grid.map(listOf),
      rank,
      parts,
      caution: caution(outcome).split("\n"),
      figures: RANKS.map((figure) => ({ name: figure, ...shadingOf(figure) })),
      shown,
      rows: rowsOf(tried, parts, shown),
      ran: tried.ranked.length,
      maps: mapsOf(tried, parts),
      dots: parts.length === 1 ? [] : dotsOf(tried, rank),
      settings: settingsShown(body),
      candles: stretchesOf(series),
      ...(rule === undefined ? {} : { rule: ruleViewOf(rule.outcome, MOST_ALERTS) })
    }
  }
}

/** The values of a field in a line. */
export const listOf = ({ values }: Axis): string => {
  const texts = values.slice(0, MOST_VALUES).map((value) => valueText(value) || "-")
  const more = values.length - texts.length
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join(", ")
}

const rowsOf = (tried: Tried, parts: ReadonlyArray<Part>, shown: ReadonlyArray<Figure>): SweepData["rows"] =>
  Array.from({ length: Math.min(MOST_ROWS, tried.ranked.length) }, (_, position) => ({
    values: combination(tried.grid, tried.ranked[position] ?? 0).map((value) => valueText(value) || "-"),
    figures: parts.flatMap((part) => shown.map((figure) => rounded(tried.figure(position, part, figure))))
  }))

const dotsOf = (tried: Tried, rank: Figure): SweepData["dots"] => {
  const count = tried.ranked.length
  const dots = Math.min(MOST_DOTS, count)
  return Array.from({ length: dots }, (_, dot) => Math.floor((dot * count) / dots)).flatMap((position) => {
    const [train, test] = [tried.figure(position, "train", rank), tried.figure(position, "test", rank)]
    return Number.isFinite(train) && Number.isFinite(test) ? [[digits(train), digits(test)] as const] : []
  })
}

/** A map for every two settings, each as fine as all of them together may be. */
const mapsOf = (tried: Tried, parts: ReadonlyArray<Part>): ReadonlyArray<SweepMapData> => {
  const places = varying(tried.grid).slice(0, MOST_FIELDS)
  const pairs = places.flatMap((row, at) => places.slice(at + 1).map((column) => ({ row, column })))
  const most = mostOf(tried.grid, pairs, Math.floor(MOST_MAP_NUMBERS / (2 * parts.length * RANKS.length)))
  return pairs.map(({ column, row }) => {
    const { cells, columns, rows } = mapOf(tried, { row, column, mostRows: most, mostColumns: most })
    const by = (measure: Measure) =>
      parts.flatMap((part) =>
        RANKS.map((figure) =>
          cells.map((positions) => rounded(cellValue(tried, positions, { figure, measure, part })))
        )
      )
    return {
      row,
      column,
      rows: rows.map(groupText),
      columns: columns.map(groupText),
      counts: cells.map((positions) => positions.length),
      ranks: cells.map(([first]) => (first === undefined ? null : first + 1)),
      best: by("best"),
      mean: by("mean")
    }
  })
}

/** The most groups of a side, so that the cells of all maps are at most `cells`. */
const mostOf = (
  grid: Grid,
  pairs: ReadonlyArray<{ readonly row: number; readonly column: number }>,
  cells: number
): number => {
  const sizes = pairs.map(({ column, row }) => [row, column].map((place) => grid[place]?.values.length ?? 1))
  let most = 1
  const sum = (side: number) =>
    sizes.reduce((all, pair) => all + pair.reduce((product, size) => product * Math.min(size, side), 1), 0)
  while (most < cells && sum(most + 1) <= cells) most++
  return most
}

/** Six digits are enough for a page, and keep it small. */
const digits = (value: number): number => Number(value.toPrecision(6))

const rounded = (value: number | null | undefined): number | null =>
  typeof value === "number" && Number.isFinite(value) ? digits(value) : null
