// The bounds on what one account may own, as a reference with defaults: embedders replace it beneath the ports.
import * as Context from "effect/Context"

/** The most signals of an account, by default. */
export const MAX_SIGNALS = 1000
/** The most strategies of an account, by default. */
export const MAX_STRATEGIES = 1000

/**
 * The most that an account may own. Needs no layer; `Layer.succeed(Limits, ...)` beneath the ports changes it.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { Memory } from "signalbox"
 * import { Limits } from "signalbox/services/health/Limits"
 *
 * const server = Layer.provide(Memory.layer(), Layer.succeed(Limits, { signals: 10, strategies: 5 }))
 * ```
 */
export class Limits extends Context.Reference<Limits>()("signalbox/services/health/Limits", {
  defaultValue: () => ({ signals: MAX_SIGNALS, strategies: MAX_STRATEGIES })
}) {}
