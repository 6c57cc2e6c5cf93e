import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Summary } from "../domain/Performance.ts"
import { parseCreate } from "../domain/requests/StrategyRequest.ts"
import type { Violation } from "../domain/requests/Violations.ts"
import type { Settings } from "../domain/Strategy.ts"
import * as Backtest from "./Backtest.ts"
import type { BacktestMarkets } from "./backtest/BacktestMarkets.ts"
import * as Performance from "./Performance.ts"
import { fields, type Grid } from "./sweep/SweepGrid.ts"
import type { Recording } from "./sweep/SweepSplit.ts"

/** A strategy in the request dialect, and what is laid over it. */
export interface Family {
  readonly body: Readonly<Record<string, unknown>>
  readonly grid: Grid
}

/** The settings of one combination, or the rules that it breaks. */
export const settingsOf = (
  { body, grid }: Family,
  index: number
): Either.Either<Settings, ReadonlyArray<Violation>> =>
  Either.map(parseCreate({ ...body, ...fields(grid, index) }), ({ settings }) => settings)

/**
 * How the settings did over a recording. A position that is still open at its end does not count. None where the bot came to
 * no end with an event: its figures would be taken for a result.
 */
export const trial = (
  settings: Settings,
  ground: BacktestMarkets,
  recording: Recording
): Option.Option<Summary> => {
  const { overrunAt, tally, today } = Backtest.run({ settings, ...ground, ...recording })
  return overrunAt === undefined ? Option.some(Performance.summary(tally, today)) : Option.none()
}
