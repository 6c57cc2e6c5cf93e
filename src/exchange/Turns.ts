import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { PRIORITIES, type Priority } from "./Budget.ts"

/** By then (ms) a request has arrived, whether it is answered or not. */
const ARRIVED_MS = 500

/** How requests take turns. */
export type Turns = (priority: Priority) => <A, E>(request: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** All at once. */
export const none: Turns = () => (request) => request

/**
 * One request after the other, the most urgent first; but one that is not answered holds the next up for a moment
 * only.
 */
export const make = (): Turns => {
  const lines: ReadonlyArray<Array<Deferred.Deferred<void>>> = PRIORITIES.map(() => [])
  let isTaken = false
  const pass = () => {
    const turn = lines.find(({ length }) => length > 0)?.shift()
    if (turn === undefined) isTaken = false
    else Deferred.unsafeDone(turn, Effect.void)
  }
  const taken = Effect.fnUntraced(function* (priority: Priority) {
    if (!isTaken) {
      isTaken = true
      return
    }
    const line = lines[PRIORITIES.indexOf(priority)] ?? []
    const turn = yield* Deferred.make<void>()
    line.push(turn)
    yield* Effect.onInterrupt(Effect.interruptible(Deferred.await(turn)), () =>
      Effect.sync(() => {
        const at = line.indexOf(turn)
        // It may have come just then.
        if (at < 0) pass()
        else line.splice(at, 1)
      })
    )
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
