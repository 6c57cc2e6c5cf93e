// Decides which recorded alerts a back-test may read: a caller gets the alerts of its own signals, and of another's
// public signal only those that its own strategy answered.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { Alerts, Span } from "../../domain/requests/BacktestRequest.ts"
import { Violations, violation } from "../../domain/requests/Violations.ts"
import type { SignalId } from "../../domain/Signal.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { Signals } from "../Signals.ts"
import { StrategyStore } from "../StrategyStore.ts"

/**
 * Alerts that a caller may read: all of a signal of its own, or those of another's signal that its `strategy` answered.
 * Times in ms, `until` exclusive.
 */
export interface AlertAccess extends Span {
  readonly account: AccountId
  readonly signal: SignalId
  readonly strategy: StrategyId | undefined
}

/** Makes the check: resolves the requested alerts, and refuses what is not the caller's. */
export const make = Effect.gen(function* () {
  const signals = yield* Signals
  const strategies = yield* StrategyStore
  return Effect.fnUntraced(function* (account: AccountId, query: Extract<Alerts, { _tag: "OnRecord" }>) {
    const { from, id, of, until } = query
    const wanted = { account, from, until }
    if (of === "signal") {
      const signal = yield* signals.get(account, id)
      return { ...wanted, signal: signal.id, strategy: undefined } satisfies AlertAccess
    }
    const strategy = yield* strategies.get(account, id)
    const signal = strategy.settings.signalId
    if (signal === undefined)
      return yield* Violations.of([
        violation("alerts.id", "is a strategy that follows no signal: choose a signal")
      ])
    const own = yield* Effect.option(signals.get(account, signal))
    return { ...wanted, signal, strategy: Option.isSome(own) ? undefined : strategy.id } satisfies AlertAccess
  })
})
