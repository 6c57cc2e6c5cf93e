import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Priority } from "./Priority.ts"
import { PriorityQueue } from "./PriorityQueue.ts"

/** By then (ms) a request has arrived, whether it is answered or not. */
const ARRIVED_MS = 500

/** How requests take turns. */
export type RequestGate = (priority: Priority) => <A, E>(request: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** All at once. */
export const none: RequestGate = () => (request) => request

/**
 * One request after the other, the most urgent first; but one that is not answered holds the next up for a moment
 * only.
 */
export const make = (): RequestGate => {
  const lines = new PriorityQueue()
  let isTaken = false
  const pass = () => {
    const next = lines.first()
    if (next === undefined) isTaken = false
    else lines.call(next)
  }
  const taken = (priority: Priority) =>
    Effect.suspend(() => {
      if (isTaken) return Effect.interruptible(lines.join(priority, pass))
      isTaken = true
      return Effect.void
    })
  return (priority) => (request) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* taken(priority)
        const answered = yield* Deferred.make<void>()
        const arrived = Effect.race(Deferred.await(answered), Effect.sleep(ARRIVED_MS))
        yield* Effect.forkDaemon(Effect.interruptible(Effect.zipRight(arrived, Effect.sync(pass))))
        return yield* Effect.ensuring(restore(request), Deferred.succeed(answered, undefined))
      })
    )
}
