// A mutex for each key with a bounded wait: one effect at a time; a caller that waits too long gets the `busy` effect.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** How often a waiter checks whether its key is free (ms). */
const LOOK_MS = 50

/** Makes the mutex. Only the wait is bounded, by `patienceMs`, not the effect. Memory grows with the number of keys. */
export const make = (patienceMs: number) => {
  const turns = new Map<string, Effect.Semaphore>()
  return Effect.fnUntraced(function* <A, E, B, D>(
    key: string,
    self: Effect.Effect<A, E>,
    busy: Effect.Effect<B, D>
  ) {
    const turn = turns.get(key) ?? Effect.unsafeMakeSemaphore(1)
    turns.set(key, turn)
    for (let waited = 0; waited < patienceMs; waited += LOOK_MS) {
      const done = yield* turn.withPermitsIfAvailable(1)(self)
      if (Option.isSome(done)) return done.value
      yield* Effect.sleep(LOOK_MS)
    }
    return yield* busy
  })
}
