// The options of `sweep`, in the sequence of its help page, and what is wrong with them.
import { availableParallelism } from "node:os"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Grid } from "../../trading/sweep/SweepGrid.ts"
import { MEASURES, type Measure } from "../../trading/sweep/SweepMap.ts"
import { RANKS } from "../../trading/sweep/SweepRanking.ts"
import type { WalkForward } from "../../trading/sweep/WalkForward.ts"
import * as Database from "../backtest/database.ts"
import * as Fills from "../backtest/fills.ts"
import * as Range from "../backtest/range.ts"
import * as Rule from "../backtest/rule.ts"
import * as Series from "../backtest/series.ts"
import * as Backtest from "../backtest.ts"
import * as ReportFile from "../program/reportFile.ts"
import { byDefault, json } from "../program/shared.ts"
import { usage } from "../program/usage.ts"

/** Percent of the time that is held out, unless another number is given. */
export const HOLDOUT = 30

const SEARCHES = ["all", "halving"] as const
/** How combinations are searched. */
export type Search = (typeof SEARCHES)[number]

const grid = Options.text("grid").pipe(
  Options.withDescription(
    'a JSON file: {"field": [values] or {"from", "to", "step"}}, with the field names of POST /v1/strategies, or params.NAME for a number of the rule'
  )
)
const sample = Options.integer("sample").pipe(
  Options.optional,
  Options.withDescription("try this many combinations, chosen at random, instead of all")
)
const seed = byDefault(Options.integer("seed"), 1, "the same seed gives the same sample")
const holdout = Options.float("holdout").pipe(
  Options.optional,
  Options.withDescription(
    `percent of the time, at its end, to hold out of the ranking; 0 for none; by default ${HOLDOUT}`
  )
)
const search = byDefault(
  Options.choice("search", SEARCHES),
  "all",
  "all tries every combination on all of train. halving tries them on a short stretch of it, the better third on one three times as long, and so on; what is held out is seen by none of it"
)
const walkForward = Options.text("walk-forward").pipe(
  Options.optional,
  Options.withDescription(
    "TRAIN/TEST in days, like 90/30: choose settings on each TRAIN, trade the TEST that follows with them, move on by TEST, and join the tests to one record"
  )
)
const anchored = Options.boolean("anchored").pipe(
  Options.withDescription(
    "let every train of --walk-forward begin with the first candle, instead of moving on"
  )
)
const resume = Options.text("resume").pipe(
  Options.optional,
  Options.withDescription(
    "keep results in this file as they come: after a cut, the same command goes on where it was; refused if anything that they depend on has changed"
  )
)
const rank = byDefault(
  Options.choice("rank", RANKS),
  "roi_pct",
  "the figure to rank by, highest first (lowest first for fees_paid, volatility_pct and avg_hold_time_min); combinations without a trade come last where no trade would look best"
)
const top = byDefault(Options.integer("top"), 20, "rows of the table; CSV and JSON hold all combinations")
const csv = Options.text("csv").pipe(
  Options.optional,
  Options.withDescription("write all rows to this CSV file")
)
const map = Options.text("map").pipe(
  Options.optional,
  Options.withDescription(
    "FIELD,FIELD: also print a heat map of two settings of the grid, the first down and the second across"
  )
)
const mapCell = byDefault(
  Options.choice("map-cell", MEASURES),
  "best",
  "what a cell of the map shows: best is the combination that ranks first in train, mean the mean of all in the cell"
)
const skipInvalid = Options.boolean("skip-invalid").pipe(
  Options.withDescription("skip invalid combinations instead of rejecting the grid")
)
const workers = byDefault(
  Options.integer("workers"),
  availableParallelism(),
  "number of worker threads, which the result does not depend on; one for each core"
)

export const options = {
  strategy: Backtest.strategy,
  grid,
  candles: Series.candles,
  anyTime: Series.anyTime,
  from: Range.from,
  to: Range.to,
  alerts: Backtest.alerts,
  rule: Rule.rule,
  signal: Rule.signal,
  listAlerts: Rule.listAlerts,
  balance: Backtest.balance,
  markets: Backtest.markets,
  fills: Fills.fills,
  ...Database.options,
  sample,
  seed,
  search,
  holdout,
  walkForward,
  anchored,
  rank,
  top,
  map,
  mapCell,
  csv,
  html: ReportFile.html,
  skipInvalid,
  resume,
  workers,
  json
}

interface Given {
  readonly holdout: Option.Option<number>
  readonly top: number
  readonly workers: number
  readonly search: Search
  readonly walkForward: Option.Option<string>
  readonly anchored: boolean
  readonly map: Option.Option<string>
  readonly listAlerts: boolean
}

/** Refuses options out of bounds, and those that do not go together. */
export const inBounds = (given: Given) => {
  const { top, walkForward, workers } = given
  const holdout = Option.getOrElse(given.holdout, () => HOLDOUT)
  if (!(holdout >= 0 && holdout < 100)) return usage("--holdout takes a percentage from 0 to less than 100")
  if (top < 1) return usage("--top takes a number of 1 or more")
  if (workers < 1) return usage("--workers takes a number of 1 or more")
  if (Option.isSome(walkForward)) return walkAlone(given)
  return given.anchored ? usage("--anchored goes with --walk-forward TRAIN/TEST") : Effect.void
}

const walkAlone = ({ holdout, listAlerts, map, search }: Given) => {
  if (Option.isSome(holdout))
    return usage("--walk-forward holds its tests out by itself, so it does not go with --holdout")
  if (search !== "all") return usage("--walk-forward tries all combinations: leave out --search")
  if (Option.isSome(map)) return usage("--walk-forward has a ranking for each stretch: leave out --map")
  return listAlerts
    ? usage("--walk-forward has a rule for each stretch: leave out --list-alerts")
    : Effect.void
}

/** The lengths of --walk-forward, if it is given: days, whole or not. */
export const walkOf = (given: Pick<Given, "walkForward" | "anchored">) =>
  Option.match(given.walkForward, {
    onNone: () => Effect.succeed(undefined),
    onSome: (text) => {
      const [trainDays = 0, testDays = 0, ...more] = text.split("/").map((part) => daysOf(part.trim()))
      const walk: WalkForward = { trainDays, testDays, isAnchored: given.anchored }
      return more.length > 0 || !(trainDays > 0 && testDays > 0)
        ? usage("--walk-forward takes two numbers of days above 0, as TRAIN/TEST: 90/30")
        : Effect.succeed(walk)
    }
  })

/** A number of days in digits; 0 for anything else. */
const daysOf = (text: string): number => (/^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0)

/** The two settings of the map, if one is wanted. */
export const mapChoice = (
  options: { readonly map: Option.Option<string>; readonly mapCell: Measure; readonly json: boolean },
  grid: Grid
) => {
  if (Option.isNone(options.map)) return Effect.succeed(undefined)
  if (options.json) return usage("--map prints a table, so it does not go with --json")
  const names = grid.map(({ field }) => field)
  const [row, column, ...others] = options.map.value.split(",").map((name) => names.indexOf(name.trim()))
  return row === undefined ||
    column === undefined ||
    others.length > 0 ||
    row === column ||
    row < 0 ||
    column < 0
    ? usage(`--map takes two settings of the grid, as FIELD,FIELD; the grid has ${names.join(", ")}`)
    : Effect.succeed({ row, column, measure: options.mapCell })
}
