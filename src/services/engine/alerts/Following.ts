import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/** How soon it goes on after something went wrong. */
const AGAIN_MS = 1000

/** Does it again and again for as long as we live: whatever goes wrong is told, and does not end it. */
export const follow = (what: string, once: Effect.Effect<unknown>) =>
  once.pipe(
    Effect.catchAllCause((cause) =>
      Cause.isInterrupted(cause)
        ? Effect.failCause(cause)
        : Effect.zipRight(
            Effect.logError(`the engine stumbled while it followed ${what}, and goes on`, cause),
            Effect.sleep(AGAIN_MS)
          )
    ),
    Effect.forever,
    Effect.forkScoped
  )
