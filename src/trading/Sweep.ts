// One trial of a parameter sweep: lays a combination of values over a strategy request, back-tests it, and returns its
// performance summary.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Summary } from "../domain/Performance.ts"
import { parseBody } from "../domain/requests/StrategyRequest.ts"
import type { Violation } from "../domain/requests/Violations.ts"
import type { Settings } from "../domain/Strategy.ts"
import * as Backtest from "./Backtest.ts"
import type { BacktestMarkets } from "./backtest/BacktestMarkets.ts"
import type { Filled } from "./equity/Holdings.ts"
import type { Ended } from "./equity/MarkedRun.ts"
import * as Performance from "./Performance.ts"
import { fields, type Grid } from "./sweep/SweepGrid.ts"
import type { Recording } from "./sweep/SweepSplit.ts"

/** A strategy in the request dialect, and the grid of values laid over it. */
export interface Family {
  readonly body: object
  readonly grid: Grid
}

/** The settings of one combination, or its violations. */
export const settingsOf = (
  { body, grid }: Family,
  index: number
): Either.Either<Settings, ReadonlyArray<Violation>> =>
  Either.map(parseBody({ ...body, ...fields(grid, index) }), ({ settings }) => settings)

/** What a combination came to: its figures, and the run behind them. */
export interface Trial {
  readonly summary: Summary
  readonly ended: Omit<Ended, "series">
}

/**
 * The performance of the settings over a recording. A position still open at the end does not count. None if the bot
 * overran, since its figures are void.
 */
export const trial = (
  settings: Settings,
  ground: BacktestMarkets,
  recording: Recording
): Option.Option<Trial> => {
  const fills: Array<Filled> = []
  const result = Backtest.run({
    settings,
    ...ground,
    ...recording,
    filled: (order, fill) => fills.push({ order, fill })
  })
  if (result.overrunAt !== undefined) return Option.none()
  const summary = Performance.summary(result.tally, result.today)
  return Option.some({ summary, ended: { settings, result, fills } })
}
