// One trial of a parameter sweep: lays a combination of values over a strategy request, back-tests it, and returns its
// performance summary.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Slot } from "../domain/Bot.ts"
import type { Summary } from "../domain/Performance.ts"
import { parseBody } from "../domain/requests/StrategyRequest.ts"
import type { Violation } from "../domain/requests/Violations.ts"
import type { Settings } from "../domain/Strategy.ts"
import type { RuleDocument } from "../domain/signalRule/RuleDocument.ts"
import * as Backtest from "./Backtest.ts"
import type { BacktestMarkets } from "./backtest/BacktestMarkets.ts"
import type { Filled } from "./equity/Holdings.ts"
import type { Ended } from "./equity/MarkedRun.ts"
import * as Performance from "./Performance.ts"
import { fields, type Grid } from "./sweep/SweepGrid.ts"
import { PARAMS, ruleNumber, ruleOf } from "./sweep/SweepRules.ts"
import type { Recording } from "./sweep/SweepSplit.ts"

/** A strategy in the request dialect, the rule that raises its alerts if one does, and the grid laid over both. */
export interface Family {
  readonly body: object
  readonly grid: Grid
  readonly rule?: RuleDocument | undefined
}

type Read<A> = Either.Either<A, ReadonlyArray<Violation>>

/** The settings of one combination, or their violations. */
export const strategyOf = ({ body, grid }: Family, index: number): Read<Settings> => {
  const values = Object.entries(fields(grid, index)).filter(([field]) => !field.startsWith(PARAMS))
  return Either.map(parseBody({ ...body, ...Object.fromEntries(values) }), ({ settings }) => settings)
}

/**
 * Reads the settings of one combination after the other, or the violations of its settings and of its rule. A rule that
 * comes again is not read again.
 */
export const settingsReader = (family: Family): ((index: number) => Read<Settings>) => {
  const { grid, rule } = family
  let last: { readonly number: number; readonly read: Read<unknown> } | undefined
  const ruleAt = (index: number): Read<unknown> => {
    if (rule === undefined) return Either.void
    const number = ruleNumber(grid, index)
    last = last?.number === number ? last : { number, read: ruleOf({ rule, grid }, index) }
    return last.read
  }
  return (index) => {
    const [settings, checked] = [strategyOf(family, index), ruleAt(index)]
    if (Either.isRight(checked)) return settings
    return Either.left([...(Either.isLeft(settings) ? settings.left : []), ...checked.left])
  }
}

/** The settings of one combination, or the violations of its settings and of its rule. */
export const settingsOf = (family: Family, index: number): Read<Settings> => settingsReader(family)(index)

/** What a combination came to: its figures, the run behind them, and the slots that still hold a position at its end. */
export interface Trial {
  readonly summary: Summary
  readonly ended: Omit<Ended, "series">
  readonly open: ReadonlyArray<Slot>
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
  return Option.some({ summary, ended: { settings, result, fills }, open: result.open })
}
