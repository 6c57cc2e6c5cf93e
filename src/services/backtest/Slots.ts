// The bounds on back-tests over HTTP: one at a time for an account, two for the server, a minute each. A request beyond
// them fails at once and does not queue.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import { BacktestBusy, BacktestFailed } from "./Failures.ts"

/** Concurrent back-tests of the whole server: each takes a core and a few hundred megabytes. */
const MAX_RUNNING = 2

/** The most time for one back-test, in real seconds, whatever the test clock says. */
export const LIMIT_SECONDS = 60

/** Makes the slots; a request without a free slot fails with `BacktestBusy`. */
export const make = () => {
  const running = new Set<AccountId>()
  const take = (account: AccountId) =>
    Effect.suspend(() => {
      if (running.has(account)) return new BacktestBusy({ whose: "account" })
      if (running.size >= MAX_RUNNING) return new BacktestBusy({ whose: "server" })
      running.add(account)
      return Effect.void
    })
  return <A, E, R>(account: AccountId, self: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      take(account),
      () => self,
      () => Effect.sync(() => running.delete(account))
    )
}

/** Bounds an effect in real time. */
export const limited = <A, E, R>(self: Effect.Effect<A, E, R>, seconds = LIMIT_SECONDS) =>
  Effect.timeoutFail(self, {
    duration: `${seconds} seconds`,
    onTimeout: () => new BacktestFailed({ reason: "too_long" })
  }).pipe(Effect.withClock(Clock.make()))
