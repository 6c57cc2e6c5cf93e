import * as Context from "effect/Context"

/** The most signals of an account where nothing else is set. */
export const MAX_SIGNALS = 1000
/** The most strategies of an account where nothing else is set. */
export const MAX_STRATEGIES = 1000

/**
 * What an account may hold. Needs no layer; `Layer.succeed(Limits, ...)` beneath the ports changes it.
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
