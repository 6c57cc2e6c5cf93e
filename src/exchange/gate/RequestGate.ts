// Sends requests of one key one after the other, the most urgent first, because nonces must arrive in sequence. An
// unanswered request blocks the next for half a second at most.
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Priority } from "./Priority.ts"
import { PriorityQueue } from "./PriorityQueue.ts"

/** After this time (ms) a request has arrived, answered or not. */
const ARRIVED_MS = 500

/** Runs a request when its priority has its turn. */
export type RequestGate = (priority: Priority) => <A, E>(request: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** No turns: all at once. */
export const none: RequestGate = () => (request) => request

/** One request at a time, the most urgent first. */
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
