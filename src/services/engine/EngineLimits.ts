// The engine's bounds on what one account may occupy. Tests lower them; the server has no setting for them.
import * as Context from "effect/Context"

export interface Bounds {
  /** The most outcomes that an account's strategies may have on one UTC day before entries are ignored; 0 lifts it. */
  readonly outcomesPerDay: number
  /** The most tasks (an alert for a strategy) of an account in memory; the rest stays in the journal. */
  readonly tasksPerAccount: number
  /** Tasks of all accounts in memory above which each account gets only its share. */
  readonly tasks: number
  /** The most tasks judged in one slice. */
  readonly tasksPerSlice: number
}

export const DEFAULTS: Bounds = {
  outcomesPerDay: 5_000_000,
  tasksPerAccount: 100_000,
  tasks: 500_000,
  tasksPerSlice: 1_024
}

/** Has a default, so no layer is needed; `Layer.succeed(EngineLimits, ...)` below the bots changes it. */
export class EngineLimits extends Context.Reference<EngineLimits>()(
  "signalbox/services/engine/EngineLimits",
  {
    defaultValue: (): Bounds => DEFAULTS
  }
) {}
