// `signalbox sweep`: back-tests many combinations of settings in worker threads and ranks them. The last part of the
// time is held out of the ranking, or, walking forward, one test after the other.
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { type Family, settingsOf } from "../trading/Sweep.ts"
import { combinationText, count } from "../trading/sweep/SweepGrid.ts"
import type { Stretch } from "../trading/sweep/SweepSplit.ts"
import type { WalkForward } from "../trading/sweep/WalkForward.ts"
import { FileError } from "./backtest/files.ts"
import * as Range from "./backtest/range.ts"
import * as Rule from "./backtest/rule.ts"
import * as Series from "./backtest/series.ts"
import * as Backtest from "./backtest.ts"
import { isColourful } from "./program/colours.ts"
import * as ReportFile from "./program/reportFile.ts"
import * as BatchWriter from "./sweep/BatchWriter.ts"
import { digestOf } from "./sweep/digest.ts"
import * as Inputs from "./sweep/inputs.ts"
import * as Job from "./sweep/Job.ts"
import * as Luck from "./sweep/luck.ts"
import { type MapChoice, mapsText } from "./sweep/mapText.ts"
import { HOLDOUT, inBounds, mapChoice, options, walkOf } from "./sweep/options.ts"
import * as ProgressFile from "./sweep/ProgressFile.ts"
import { type Outcome, outcomeOf } from "./sweep/RankedResults.ts"
import * as ResultFile from "./sweep/ResultFile.ts"
import * as Runs from "./sweep/Runs.ts"
import { report } from "./sweep/rankingReport.ts"
import * as Rules from "./sweep/rules.ts"
import { halve, rungsFor } from "./sweep/search.ts"
import { reportOf } from "./sweep/sweepReport.ts"
import * as Workers from "./sweep/Workers.ts"
import * as Walk from "./sweep/walk.ts"
import * as WalkFile from "./sweep/walkFile.ts"
import { walkReport } from "./sweep/walkPage.ts"
import { walkText } from "./sweep/walkText.ts"

export const sweep = Command.make("sweep", options, (options) =>
  Effect.gen(function* () {
    const candles = yield* Series.sources(options.candles)
    const range = yield* Range.rangeOf(options)
    const markets = yield* Effect.forEach(options.markets, Backtest.pairAndFile("--market"))
    yield* inBounds(options)
    const walk = yield* walkOf(options)
    if (Option.isSome(options.csv)) yield* BatchWriter.writable(options.csv.value)
    if (Option.isSome(options.resume)) yield* BatchWriter.writable(options.resume.value)
    yield* ReportFile.permitted(options.html)

    const rule = yield* Rule.chosen(options)
    const family = yield* Inputs.readFamily(options.strategy, options.grid, Option.getOrUndefined(rule))
    const choice = yield* mapChoice(options, family.grid)
    const board = Job.boardOf(yield* Inputs.chosen(family.grid, options.sample, options.seed))
    const crew = yield* Workers.hire(options.workers, board.indexes.length)
    yield* Runs.check(crew, board, family, options.json)
    const settings = yield* judged(options, family, board)
    const sources = { ...options, candles, range, markets }
    const setup = yield* Inputs.readRecording(sources, settings, Option.getOrUndefined(rule))
    const { rank } = options
    const given: Given = { crew, family, board, setup, rank, json: options.json, currency: settings.quote }
    if (walk !== undefined) return yield* walked(options, given, walk)
    const named = Option.match(rule, { onNone: () => "", onSome: ({ name }) => name })
    const outcome = yield* ranked(options, given, named)
    if (Option.isSome(options.csv)) yield* BatchWriter.toFile(options.csv.value, ResultFile.csv(outcome))
    if (options.json) yield* BatchWriter.toStandardOutput(ResultFile.json(outcome))
    else yield* Console.log(printed(outcome, options.top, choice))
    if (Option.isSome(options.html))
      yield* ReportFile.write(options.html.value, reportOf(outcome, family.body, setup.recording))
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "back-test many settings of a strategy and rank them, with a part held out, or walk forward through time"
  )
)

type Options = Command.Command.ParseConfig<typeof options>

/** What a sweep is given: its workers, the checked combinations, and what all of them share. */
interface Given extends Omit<Runs.Sweep, "file"> {
  readonly family: Family & { readonly body: Readonly<Record<string, unknown>> }
  readonly board: Job.Board
  readonly currency: string
}

/** The progress file, if one is wanted, for what is tried. */
const fileOf = ({ resume }: Options, { board, family, setup }: Given, plan: unknown) =>
  Option.match(resume, {
    onNone: () => Effect.succeed(undefined),
    onSome: (file) => ProgressFile.open(file, digestOf(family, board, setup, plan))
  })

/** Back-tests the combinations and ranks them, all of them or those that are left by a search. */
const ranked = (options: Options, given: Given, named: string) =>
  Effect.gen(function* () {
    const { board, currency, family, rank, setup } = given
    const holdout = Option.getOrElse(options.holdout, () => HOLDOUT)
    const { recording } = setup
    const splitAt = yield* Inputs.heldFrom(recording, holdout)
    const total = board.indexes.length
    const sums = Luck.sumsFor(total, Luck.trainOf(recording, splitAt))
    const filled = { results: Job.numbers(total * Job.PLACE_WIDTH), ...sums }
    const whole: Stretch = { from: -Infinity, testFrom: splitAt, to: Infinity }
    const isSearch = options.search === "halving"
    const rungs = isSearch ? rungsFor({ board, recording }, splitAt) : []
    const file = yield* fileOf(options, given, isSearch ? [rungs, rank] : whole)
    const sweep = { ...given, file }
    const places = Uint32Array.from(board.indexes, (_, place) => place)
    const found = isSearch
      ? yield* halve(sweep, board, rungs, filled)
      : yield* Runs.run(sweep, { ...filled, round: 0, board, places, stretches: [whole] })

    const { results } = filled
    const { grid } = family
    const combinations = count(grid)
    const ranking = outcomeOf({
      grid,
      combinations,
      rank,
      holdout,
      splitAt,
      board,
      results,
      rungs: found?.rungs
    })
    const first = Rules.firstOf(ranking, family, setup, named)
    const tested = { ...setup, recording: Luck.trainOf(first.recording, splitAt) }
    const measured = Luck.luckOf(ranking, family, tested, { ...sums, searched: found?.searched })
    const outcome: Outcome = {
      ...ranking,
      fillModel: setup.ground.fillModel,
      luck: measured && { measured, currency },
      rule: first.rule && { outcome: first.rule, lists: options.listAlerts }
    }
    return outcome
  })

/** Walks forward, and writes what comes of it. */
const walked = (options: Options, given: Given, walk: WalkForward) =>
  Effect.gen(function* () {
    const { family, setup } = given
    const stretches = yield* Walk.stretchesFor(setup.recording, given.board, walk)
    const file = yield* fileOf(options, given, stretches)
    const outcome = yield* Walk.walk({ ...given, file }, { ...given, walk, stretches })
    if (Option.isSome(options.csv)) yield* BatchWriter.toFile(options.csv.value, WalkFile.csv(outcome))
    yield* Console.log(options.json ? WalkFile.json(outcome) : walkText(outcome))
    if (Option.isSome(options.html))
      yield* ReportFile.write(options.html.value, walkReport(outcome, family.body, setup.recording))
  })

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
