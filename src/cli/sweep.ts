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
import { combinationText, count } from "../trading/sweep/SweepGrid.ts"
import { RANKS } from "../trading/sweep/SweepRanking.ts"
import { FileError } from "./backtest/files.ts"
import * as Range from "./backtest/range.ts"
import * as Series from "./backtest/series.ts"
import * as Backtest from "./backtest.ts"
import * as Progress from "./program/progress.ts"
import { byDefault, json } from "./program/shared.ts"
import { usage } from "./program/usage.ts"
import * as BatchWriter from "./sweep/BatchWriter.ts"
import * as Inputs from "./sweep/inputs.ts"
import * as Job from "./sweep/Job.ts"
import { outcomeOf } from "./sweep/RankedResults.ts"
import * as ResultFile from "./sweep/ResultFile.ts"
import { report } from "./sweep/rankingReport.ts"
import * as Workers from "./sweep/Workers.ts"

const grid = Options.text("grid").pipe(
  Options.withDescription(
    'a JSON file: {"field": [values] or {"from", "to", "step"}}, with the field names of POST /v1/strategies'
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
  balance: Backtest.balance,
  markets: Backtest.markets,
  db: Backtest.database,
  sample,
  seed,
  holdout,
  rank,
  top,
  csv,
  skipInvalid,
  workers,
  json
}

export const sweep = Command.make("sweep", options, (options) =>
  Effect.gen(function* () {
    const candles = yield* Series.sources(options.candles)
    const range = yield* Range.rangeOf(options)
    const markets = yield* Effect.forEach(options.markets, Backtest.pairAndFile("--market"))
    if (!(options.holdout >= 0 && options.holdout < 100))
      return yield* usage("--holdout takes a percentage from 0 to less than 100")
    if (options.top < 1) return yield* usage("--top takes a number of 1 or more")
    if (options.workers < 1) return yield* usage("--workers takes a number of 1 or more")
    if (Option.isSome(options.csv)) yield* BatchWriter.writable(options.csv.value)

    const family = yield* Inputs.readFamily(options.strategy, options.grid)
    const board = Job.boardOf(yield* Inputs.chosen(family.grid, options.sample, options.seed))
    const crew = yield* Workers.hire(Math.min(options.workers, board.indexes.length))
    yield* Workers.sendAll(crew, board, { _tag: "Check", family, board }, () => {})
    const settings = yield* judged(options, family, board)
    const { ground, recording } = yield* Inputs.readRecording(
      { ...options, candles, range, markets },
      settings
    )
    const splitAt = yield* Inputs.heldFrom(recording, options.holdout)

    const results = Job.numbers(board.indexes.length * Job.PLACE_WIDTH)
    const bar = yield* Progress.bar({
      unit: "combinations",
      total: board.indexes.length,
      json: options.json
    })
    yield* Workers.sendAll(
      crew,
      board,
      {
        _tag: "Run",
        ground: BacktestMarkets.encodeMarkets(ground, recording.series),
        recording: Job.shared(recording),
        splitAt,
        results
      },
      bar.show
    ).pipe(Effect.ensuring(Effect.sync(bar.clear)))

    const outcome = outcomeOf({
      grid: family.grid,
      combinations: count(family.grid),
      rank: options.rank,
      holdout: options.holdout,
      splitAt,
      board,
      results
    })
    if (Option.isSome(options.csv)) yield* BatchWriter.toFile(options.csv.value, ResultFile.csv(outcome))
    yield* options.json
      ? BatchWriter.toStandardOutput(ResultFile.json(outcome))
      : Console.log(report(outcome, options.top))
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("back-test many settings of a strategy and rank them, with a part held out"))

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
