// `signalbox sweep`: back-tests many combinations of settings in worker threads and ranks them. The last part of the
// time is held out of the ranking.
import { availableParallelism } from "node:os"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as BacktestMarkets from "../trading/backtest/BacktestMarkets.ts"
import { type Family, settingsOf } from "../trading/Sweep.ts"
import { combinationText, count, type Grid } from "../trading/sweep/SweepGrid.ts"
import { MEASURES, type Measure } from "../trading/sweep/SweepMap.ts"
import { RANKS } from "../trading/sweep/SweepRanking.ts"
import { alone, type Groups, grouped } from "../trading/sweep/SweepRules.ts"
import * as Database from "./backtest/database.ts"
import { FileError } from "./backtest/files.ts"
import * as Fills from "./backtest/fills.ts"
import * as Range from "./backtest/range.ts"
import * as Rule from "./backtest/rule.ts"
import * as Series from "./backtest/series.ts"
import * as Backtest from "./backtest.ts"
import { isColourful } from "./program/colours.ts"
import * as Progress from "./program/progress.ts"
import * as ReportFile from "./program/reportFile.ts"
import { byDefault, json } from "./program/shared.ts"
import { usage } from "./program/usage.ts"
import * as BatchWriter from "./sweep/BatchWriter.ts"
import * as Inputs from "./sweep/inputs.ts"
import * as Job from "./sweep/Job.ts"
import * as Luck from "./sweep/luck.ts"
import { type MapChoice, mapsText } from "./sweep/mapText.ts"
import { type Outcome, outcomeOf } from "./sweep/RankedResults.ts"
import * as ResultFile from "./sweep/ResultFile.ts"
import { report } from "./sweep/rankingReport.ts"
import * as Rules from "./sweep/rules.ts"
import { reportOf } from "./sweep/sweepReport.ts"
import * as Workers from "./sweep/Workers.ts"

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
const holdout = byDefault(
  Options.float("holdout"),
  30,
  "percent of the time, at its end, to hold out of the ranking; 0 for none"
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
  "what a cell of the map shows: best is the combination that ranks best in train, mean the mean of all in the cell"
)
const skipInvalid = Options.boolean("skip-invalid").pipe(
  Options.withDescription("skip invalid combinations instead of rejecting the grid")
)
const workers = byDefault(
  Options.integer("workers"),
  availableParallelism(),
  "number of worker threads, which the result does not depend on; one for each core"
)

const options = {
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
  holdout,
  rank,
  top,
  map,
  mapCell,
  csv,
  html: ReportFile.html,
  skipInvalid,
  workers,
  json
}

export const sweep = Command.make("sweep", options, (options) =>
  Effect.gen(function* () {
    const candles = yield* Series.sources(options.candles)
    const range = yield* Range.rangeOf(options)
    const markets = yield* Effect.forEach(options.markets, Backtest.pairAndFile("--market"))
    yield* inBounds(options)
    if (Option.isSome(options.csv)) yield* BatchWriter.writable(options.csv.value)
    yield* ReportFile.permitted(options.html)

    const rule = yield* Rule.chosen(options)
    const family = yield* Inputs.readFamily(options.strategy, options.grid, Option.getOrUndefined(rule))
    const choice = yield* mapChoice(options, family.grid)
    const board = Job.boardOf(yield* Inputs.chosen(family.grid, options.sample, options.seed))
    const crew = yield* Workers.hire(Math.min(options.workers, board.indexes.length))
    yield* checked(crew, board, family, options.json)
    const settings = yield* judged(options, family, board)
    const sources = { ...options, candles, range, markets }
    const setup = yield* Inputs.readRecording(sources, settings, Option.getOrUndefined(rule))
    const { recording } = setup
    const splitAt = yield* Inputs.heldFrom(recording, options.holdout)
    const train = Luck.trainOf(recording, splitAt)
    const sums = Luck.sumsFor(board.indexes.length, train)
    const groups = Rules.groupsOf(family, setup, board, crew.length)
    const run = { ...setup, groups, splitAt, ...sums }
    const results = yield* tried(crew, board, run, options.json)

    const { holdout, rank } = options
    const combinations = count(family.grid)
    const ranking = outcomeOf({ grid: family.grid, combinations, rank, holdout, splitAt, board, results })
    const named = Option.match(rule, { onNone: () => "", onSome: ({ name }) => name })
    const first = Rules.firstOf(ranking, family, setup, named)
    const tested = { ...setup, recording: Luck.trainOf(first.recording, splitAt) }
    const measured = Luck.luckOf(ranking, family, tested, sums)
    const outcome = {
      ...ranking,
      fillModel: setup.ground.fillModel,
      luck: measured && { measured, currency: settings.quote },
      rule: first.rule && { outcome: first.rule, lists: options.listAlerts }
    }
    if (Option.isSome(options.csv)) yield* BatchWriter.toFile(options.csv.value, ResultFile.csv(outcome))
    if (options.json) yield* BatchWriter.toStandardOutput(ResultFile.json(outcome))
    else yield* Console.log(printed(outcome, options.top, choice))
    if (Option.isSome(options.html))
      yield* ReportFile.write(options.html.value, reportOf(outcome, family.body, recording))
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("back-test many settings of a strategy and rank them, with a part held out"))

/** Refuses options out of bounds. */
const inBounds = ({
  holdout,
  top,
  workers
}: {
  readonly holdout: number
  readonly top: number
  readonly workers: number
}) => {
  if (!(holdout >= 0 && holdout < 100)) return usage("--holdout takes a percentage from 0 to less than 100")
  if (top < 1) return usage("--top takes a number of 1 or more")
  return workers < 1 ? usage("--workers takes a number of 1 or more") : Effect.void
}

/** The two settings of the map, if one is wanted. */
const mapChoice = (
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

/** Combinations of one rule are checked one after the other, so that it is read once. */
const byRule = ({ grid, rule }: Family, { indexes }: Job.Board) =>
  rule === undefined ? alone(indexes.length) : grouped(grid, indexes, 1)

/** Checks all combinations with a progress bar. */
const checked = (crew: Workers.Workers, board: Job.Board, family: Family, json: boolean) =>
  withBar(
    crew,
    board,
    { _tag: "Check", family, board, groups: byRule(family, board) },
    { unit: "combinations checked", json }
  )

/** Back-tests all combinations with a progress bar. */
const tried = (
  crew: Workers.Workers,
  board: Job.Board,
  {
    blocks,
    ground,
    groups,
    recording,
    rule,
    splitAt,
    sums
  }: Inputs.Setup & Luck.Sums & { readonly splitAt: number | undefined; readonly groups: Groups },
  json: boolean
) =>
  Effect.gen(function* () {
    const total = board.indexes.length
    const results = Job.numbers(total * Job.PLACE_WIDTH)
    const run: Job.Message = {
      _tag: "Run",
      groups,
      rule: rule && Job.sharedGround(rule),
      ground: BacktestMarkets.encodeMarkets(ground, recording.series),
      recording: Job.shared(recording),
      splitAt,
      results,
      blocks,
      sums
    }
    yield* withBar(crew, board, run, { unit: "combinations back-tested", json })
    return results
  })

const withBar = (
  crew: Workers.Workers,
  board: Job.Board,
  message: Job.Message,
  { json, unit }: { readonly unit: string; readonly json: boolean }
) =>
  Effect.flatMap(Progress.bar({ unit, total: board.indexes.length, json }), ({ clear, show }) =>
    Effect.ensuring(Workers.sendAll(crew, board, message, show), Effect.sync(clear))
  )

/** The ranking, and the map if one is wanted. */
const printed = (outcome: Outcome, top: number, choice: MapChoice | undefined): string => {
  const { stdout } = process
  const width = stdout.isTTY ? stdout.columns : undefined
  const screen = { isColourful: isColourful(stdout, process.env), width }
  const maps = choice === undefined ? [] : [mapsText(outcome, choice, screen)]
  return [report(outcome, top), ...maps].join("\n\n")
}

/** The settings of one valid combination. An invalid combination rejects the grid, unless --skip-invalid is given. */
const judged = (
  options: { readonly grid: string; readonly skipInvalid: boolean },
  family: Family,
  { broken, indexes }: Job.Board
) => {
  const first = broken.indexOf(options.skipInvalid ? 0 : 1)
  const chosen = indexes[Math.max(first, 0)] ?? 0
  return Either.match(settingsOf(family, chosen), {
    onRight: Effect.succeed,
    onLeft: (violations) => {
      const values = combinationText(family.grid, chosen)
      const errors = violations.map(({ field, text }) => `${field} ${text}`).join("; ")
      const hint = options.skipInvalid ? "no combination is valid" : "--skip-invalid skips such combinations"
      const text = `combination ${chosen + 1} of ${count(family.grid)} (${values}): ${errors}; ${hint}`
      return new FileError({ file: options.grid, text })
    }
  })
}
