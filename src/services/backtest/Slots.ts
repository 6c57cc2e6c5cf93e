import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import { BacktestBusy, BacktestFailed } from "./Failures.ts"

/** Back-tests that run at one time in the whole server: each takes a core and a few hundred megabytes. */
const MAX_RUNNING = 2

/** How long one may take, in real time, whatever time it is for the bots. */
export const LIMIT_SECONDS = 60

/** Lets one back-test of an account run at a time, two of all, each for a minute; others are turned away at once. */
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

/** No longer than a minute by the machine's own clock. */
export const limited = <A, E, R>(self: Effect.Effect<A, E, R>, seconds = LIMIT_SECONDS) =>
  Effect.timeoutFail(self, {
    duration: `${seconds} seconds`,
    onTimeout: () => new BacktestFailed({ reason: "too_long" })
  }).pipe(Effect.withClock(Clock.make()))
