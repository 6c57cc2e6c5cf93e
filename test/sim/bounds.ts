// How much of an account the server of a world takes at a time: in half of the worlds so little that its bounds are
// met.
import { type Bounds, DEFAULTS, REMOTE } from "../../src/services/engine/EngineLimits.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import type { Plan } from "./World.ts"

/** In even worlds nobody is short of outcomes: what people do is compared there. */
export const boundsOf = (
  dice: SeededRandom,
  { hasNodes, isEven }: Pick<Plan, "hasNodes" | "isEven">
): Bounds => {
  const isNarrow = dice.chance(0.5)
  const isSpent = dice.chance(0.2)
  const narrow = {
    tasksPerAccount: dice.whole(1, 30),
    tasks: dice.whole(2, 100),
    tasksPerSlice: dice.whole(1, 20)
  }
  const outcomesPerDay = dice.whole(10, 200)
  return {
    ...(hasNodes === true ? REMOTE : DEFAULTS),
    ...(isNarrow ? narrow : {}),
    ...(isSpent && !isEven ? { outcomesPerDay } : {})
  }
}
