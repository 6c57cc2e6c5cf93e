import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** By then (ms) a request has arrived, whether it is answered or not. */
const ARRIVED_MS = 500

/** One request after the other; but one that is not answered holds the next up for a moment only. */
export const make = Effect.map(
  Effect.makeSemaphore(1),
  (one) =>
    <A, E>(request: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          yield* restore(one.take(1))
          const answered = yield* Deferred.make<void>()
          const next = Effect.race(Deferred.await(answered), Effect.sleep(ARRIVED_MS))
          yield* Effect.forkDaemon(Effect.interruptible(Effect.zipRight(next, one.release(1))))
          return yield* Effect.ensuring(restore(request), Deferred.succeed(answered, undefined))
        })
      )
)
