// Request ids: unique within 2^32 requests of a process, and without a hint at how many came before.
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

const SPAN = 2 ** 32
/** Added so that all ids have the same length: 36^6 + 2^32 still has seven digits. */
const SEVEN_DIGITS = 36 ** 6

/**
 * Makes a source of ids: a full-period linear congruential generator (Numerical Recipes' constants) from a random
 * start, after a random name of the process.
 */
export const make: Effect.Effect<() => string> = Effect.gen(function* () {
  const run = (yield* Random.nextIntBetween(0, SPAN)).toString(36).padStart(7, "0")
  let state = yield* Random.nextIntBetween(0, SPAN)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return `${run}-${(state + SEVEN_DIGITS).toString(36)}`
  }
})
