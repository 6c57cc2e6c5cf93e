// Tells the owners of copies what changed of the originals: a few at a time, so that an original with many copies holds
// up nobody, and again where storage took nothing.
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { breathe } from "../engine/Breath.ts"
import { whileFirst } from "../engine/EnginePartitions.ts"
import { Copies } from "./Copies.ts"

/** Copies of one transaction. */
const AT_ONCE = 50
/** The wait after a failure. */
const PAUSE = "5 seconds"

/** Runs for as long as the layer lives. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const copies = yield* Copies
    const tellAll: Effect.Effect<void> = Effect.suspend(() => copies.tell(AT_ONCE)).pipe(
      Effect.flatMap((isMore) => (isMore ? Effect.zipRight(breathe, tellAll) : Effect.void))
    )
    const insistent: Effect.Effect<void> = tellAll.pipe(
      Effect.catchAllCause((cause) =>
        Cause.isInterrupted(cause)
          ? Effect.interrupt
          : Effect.logError("owners of copies are told later of changed originals", cause).pipe(
              Effect.zipRight(Effect.sleep(PAUSE)),
              Effect.zipRight(insistent)
            )
      )
    )
    yield* whileFirst(Effect.forever(Effect.zipRight(insistent, copies.changed)))
  })
)
