// The bounds on back-tests over HTTP: one at a time for an account, on whichever server, two running for the server, a
// minute each. A request beyond them fails at once and does not queue.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import type { BacktestClaims } from "./BacktestClaims.ts"
import { BacktestBusy, BacktestFailed } from "./Failures.ts"

/** Concurrent back-tests of the whole server: each takes a core and a few hundred megabytes. */
const MAX_RUNNING = 2

/** Bodies that are received at the same time by the whole server: each takes up to 32 MiB. */
const MAX_RECEIVING = 4

/** The most time for one back-test, in real seconds, whatever the test clock says. */
export const LIMIT_SECONDS = 60

/** How far an account's back-test is. A slow sender takes room among the senders only. */
type Phase = "receiving" | "running"

/**
 * Makes the slots: a function that receives a body, and then runs what it asks for. It fails with `BacktestBusy` before
 * it reads the body where there is no room to run it now, and after it where the room was taken meanwhile. `left` is the
 * number of processes that were killed and have not ended: each takes the room of a run. `claims` are those of all
 * servers; a server that is alone has none.
 */
export const make = (left: () => number = () => 0, claims?: typeof BacktestClaims.Service) => {
  const phases = new Map<AccountId, Phase>()
  const isFull = (phase: Phase, most: number) => {
    const inPhase = [...phases.values()].filter((it) => it === phase).length
    return inPhase + (phase === "running" ? left() : 0) >= most
  }
  const enter = (account: AccountId) =>
    Effect.suspend(() => {
      if (phases.has(account)) return new BacktestBusy({ whose: "account" })
      if (isFull("running", MAX_RUNNING) || isFull("receiving", MAX_RECEIVING))
        return new BacktestBusy({ whose: "server" })
      phases.set(account, "receiving")
      return claims === undefined
        ? Effect.void
        : Effect.onError(claimed(claims, account), () => leave(account))
    })
  const leave = (account: AccountId) => Effect.sync(() => phases.delete(account))
  const start = (account: AccountId) =>
    Effect.suspend(() => {
      if (isFull("running", MAX_RUNNING)) return new BacktestBusy({ whose: "server" })
      phases.set(account, "running")
      return Effect.void
    })
  return <Body, A, E, E2, R, R2>(
    account: AccountId,
    body: Effect.Effect<Body, E, R>,
    run: (body: Body) => Effect.Effect<A, E2, R2>
  ) =>
    Effect.acquireUseRelease(
      enter(account),
      () => Effect.flatMap(limited(body), (received) => Effect.zipRight(start(account), run(received))),
      () => Effect.zipRight(claims?.release(account) ?? Effect.void, leave(account))
    )
}

const claimed = ({ take }: typeof BacktestClaims.Service, account: AccountId) =>
  Effect.flatMap(take(account), (isOurs) => (isOurs ? Effect.void : new BacktestBusy({ whose: "account" })))

/** Bounds an effect in real time. */
export const limited = <A, E, R>(self: Effect.Effect<A, E, R>, seconds = LIMIT_SECONDS) =>
  Effect.timeoutFail(self, {
    duration: `${seconds} seconds`,
    onTimeout: () => new BacktestFailed({ reason: "too_long" })
  }).pipe(Effect.withClock(Clock.make()))
