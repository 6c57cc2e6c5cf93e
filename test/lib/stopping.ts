// A stop of the server that begins while a commit is on its way.
import { Deferred, Effect } from "effect"
import type * as Disk from "./disk.ts"

/** So many yields: by then the loops of the engine have ended, and only its last steps are to be stored. */
const LOOPS_END = 100

export interface Stopping {
  /** For the server that is to be stopped. */
  readonly parts: Disk.Parts
  /** Does what makes the bots commit, and ends when the commit is on its way: end the server then. */
  readonly within: <E, R>(act: Effect.Effect<unknown, E, R>) => Effect.Effect<void, never, R>
}

export const make: Effect.Effect<Stopping> = Effect.map(Deferred.make<void>(), (committing) => {
  let isStopping = false
  const hold = Effect.zipRight(
    Deferred.succeed(committing, undefined),
    Effect.repeatN(Effect.yieldNow(), LOOPS_END)
  )
  return {
    parts: {
      commit: (commit) => (steps, cursor) =>
        Effect.suspend(() => Effect.zipRight(isStopping ? hold : Effect.void, commit(steps, cursor)))
    },
    within: (act) =>
      Effect.suspend(() => {
        isStopping = true
        return Effect.zipRight(Effect.fork(act), Deferred.await(committing))
      })
  }
})
