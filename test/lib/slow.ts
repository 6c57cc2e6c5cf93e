// A server in memory whose storage takes its time.
import { Effect, Layer } from "effect"
import * as Memory from "../../src/Memory.ts"
import { type Cursors, Portfolio, type Step } from "../../src/services/Portfolio.ts"

/** A portfolio whose commits take 50 ms; `sizes` gets how many outcomes each has. */
export const slowCommits = (sizes: Array<number> = []) =>
  Layer.effect(
    Portfolio,
    Effect.map(Portfolio, (inner) => ({
      ...inner,
      commit: (steps: ReadonlyArray<Step>, cursors?: Cursors) => {
        const count = steps.reduce((sum, { outcomes }) => sum + outcomes.length, 0)
        if (count > 0) sizes.push(count)
        return Effect.zipRight(Effect.sleep("50 millis"), inner.commit(steps, cursors))
      }
    }))
  )

/** A server whose commits take 50 ms. */
export const slowly = (sizes: Array<number> = []) => Memory.layerWith(slowCommits(sizes))
