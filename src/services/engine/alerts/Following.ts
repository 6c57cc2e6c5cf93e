// A loop that survives every error, an interruption from inside included: it logs the error, pauses and goes on, until
// its scope closes. No handler runs for that: Effect passes handlers over while the fiber itself is interrupted.
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { isAway } from "../../records/StorageUnavailable.ts"

/** The pause after an error (ms). */
const AGAIN_MS = 1_000
/** How often a loop looks whether the database is back (ms). */
const BACK_MS = 250

/** Runs `once` again and again in the background; `what` names it in the log. */
export const follow = (what: string, once: Effect.Effect<unknown>) =>
  Effect.suspend(() => {
    let isWaiting = false
    /** A database that is away is no fault: a line tells of it once. */
    const wait = Effect.suspend(() => {
      const isFirst = !isWaiting
      isWaiting = true
      const warning = Effect.logWarning(`the engine follows ${what} again once the database can be read`)
      return Effect.zipRight(
        Effect.when(warning, () => isFirst),
        Effect.sleep(BACK_MS)
      )
    })
    const pause = (cause: Cause.Cause<unknown>) =>
      isAway(cause)
        ? wait
        : Effect.zipRight(
            Effect.logError(`the engine met a fault while it followed ${what}, and continues`, cause),
            Effect.sleep(AGAIN_MS)
          )
    const done = Effect.sync(() => {
      isWaiting = false
    })
    return once.pipe(Effect.zipRight(done), Effect.catchAllCause(pause), Effect.forever)
  }).pipe(Effect.forkScoped)
