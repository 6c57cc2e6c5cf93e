import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

const SPAN = 2 ** 32
/** So that all ids are of one length: 36^6 + 2^32 still has seven digits. */
const SEVEN_DIGITS = 36 ** 6

/**
 * A source of request ids: none comes twice in 2^32 requests, none tells how many there were before. A full-period
 * linear congruential walk (Numerical Recipes' constants) from a random start, behind a random name of the process.
 */
export const make: Effect.Effect<() => string> = Effect.gen(function* () {
  const run = (yield* Random.nextIntBetween(0, SPAN)).toString(36).padStart(7, "0")
  let state = yield* Random.nextIntBetween(0, SPAN)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return `${run}-${(state + SEVEN_DIGITS).toString(36)}`
  }
})
