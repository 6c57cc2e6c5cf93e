import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** How often somebody who waits for those before them looks whether they are done. */
const LOOK_MS = 50

/**
 * One at a time for each key, the next within so many ms or not at all: only the waiting is bounded, and not what is
 * waited for. What it keeps grows with the keys.
 */
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
