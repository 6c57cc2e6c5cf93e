// The engine's bounds on what one account may occupy. Tests lower them; the server has no setting for them.
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

export interface Bounds {
  /** The most outcomes that an account's strategies may have on one UTC day before entries are ignored; 0 lifts it. */
  readonly outcomesPerDay: number
  /** The most tasks (an alert for a strategy) of an account in memory; the rest stays in the journal. */
  readonly tasksPerAccount: number
  /** Tasks of all accounts in memory above which each account gets only its share. */
  readonly tasks: number
  /** The most tasks judged in one slice. */
  readonly tasksPerSlice: number
  /** How long a slice may take with its commit (ms), before the next one has fewer tasks. */
  readonly sliceMs: number
}

export const DEFAULTS: Bounds = {
  outcomesPerDay: 5_000_000,
  tasksPerAccount: 100_000,
  tasks: 500_000,
  tasksPerSlice: 1_024,
  // A file is written by the thread that answers requests: they wait for a commit.
  sliceMs: 20
}

/** Where a database server stores: only exits and other turns wait for a commit, and larger ones cost less a task. */
export const REMOTE: Bounds = { ...DEFAULTS, sliceMs: 60 }

/** Has a default, so no layer is needed; `Layer.succeed(EngineLimits, ...)` below the bots changes it. */
export class EngineLimits extends Context.Reference<EngineLimits>()(
  "signalbox/services/engine/EngineLimits",
  {
    defaultValue: (): Bounds => DEFAULTS
  }
) {
  /** Those of a server; `isRemote` where a database server stores for it. */
  static readonly layer = (isRemote: boolean) => Layer.succeed(EngineLimits, isRemote ? REMOTE : DEFAULTS)
}
