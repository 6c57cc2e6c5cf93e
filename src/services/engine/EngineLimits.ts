// What the engine takes from accounts before others have their turn: bounds of the program, not of an account's plan.
import * as Context from "effect/Context"

export interface Bounds {
  /** The most outcomes that an account's strategies may have on one UTC day before entries are ignored; 0 lifts it. */
  readonly outcomesPerDay: number
  /** The most tasks (an alert for a strategy) of an account in memory: the rest stays in the journal until there is room. */
  readonly tasksPerAccount: number
  /** Tasks of all accounts in memory at which each account is kept to its share. */
  readonly tasks: number
  /** The most tasks that are judged in one slice, before prices and requests have their turn. */
  readonly tasksPerSlice: number
}

export const DEFAULTS: Bounds = {
  outcomesPerDay: 5_000_000,
  tasksPerAccount: 100_000,
  tasks: 500_000,
  tasksPerSlice: 1_024
}

/** Needs no layer; `Layer.succeed(EngineLimits, ...)` beneath the bots changes it. */
export class EngineLimits extends Context.Reference<EngineLimits>()(
  "signalbox/services/engine/EngineLimits",
  {
    defaultValue: (): Bounds => DEFAULTS
  }
) {}
