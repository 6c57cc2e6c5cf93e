// Work that is better ended than begun again elsewhere: an interruption waits for it a little.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { inRealTime } from "./RealTime.ts"

/** How long an interruption waits. */
const GRACE = "2 seconds"

/** Runs an effect that an interruption ends only where it takes too long. */
export const toTheEnd = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.fork(Effect.interruptible(self)), (fiber) =>
      Effect.onInterrupt(restore(Fiber.join(fiber)), () =>
        Fiber.await(fiber).pipe(
          Effect.interruptible,
          Effect.timeout(GRACE),
          inRealTime,
          Effect.ignore,
          Effect.zipRight(Fiber.interrupt(fiber))
        )
      )
    )
  )
