// A loop that survives every error, an interruption from inside included: it logs the error, pauses and goes on, until
// its scope closes. No handler runs for that: Effect passes handlers over while the fiber itself is interrupted.
import * as Effect from "effect/Effect"

/** The pause after an error (ms). */
const AGAIN_MS = 1000

/** Runs `once` again and again in the background; `what` names it in the log. */
export const follow = (what: string, once: Effect.Effect<unknown>) =>
  once.pipe(
    Effect.catchAllCause((cause) =>
      Effect.zipRight(
        Effect.logError(`the engine met a fault while it followed ${what}, and continues`, cause),
        Effect.sleep(AGAIN_MS)
      )
    ),
    Effect.forever,
    Effect.forkScoped
  )
