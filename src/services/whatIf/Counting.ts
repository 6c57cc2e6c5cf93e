// Keeps a try, and lists all on its stretch: the best of many is lucky.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Digest } from "../internal/Digest.ts"
import { WhatIfTries, type WhatIfTry } from "../records/WhatIfTries.ts"
import * as Trying from "./Trying.ts"

/** Keeps the outcome, and lists the tries on its stretch, newest first. Settings that trade as the present ones are no try. */
export const counted: (
  tried: Trying.Tried,
  outcome: Trying.Outcome
) => Effect.Effect<ReadonlyArray<WhatIfTry>, never, WhatIfTries> = Effect.fn("WhatIf.counted")(
  function* (tried, outcome) {
    const tries = yield* WhatIfTries
    const { account, gathered } = tried
    const { id } = gathered.strategy
    if (!Trying.isUnchanged(tried)) {
      const at = yield* Clock.currentTimeMillis
      yield* tries.keep(account, id, Trying.tryOf(tried, outcome, { at, digestOf: yield* Digest }))
    }
    return yield* tries.overlapping(account, id, gathered)
  }
)
