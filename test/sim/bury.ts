import { GlobalValue } from "effect"

/** Where Effect keeps the fibers that nobody waits for, until they end. */
const { roots } = GlobalValue.globalValue(Symbol.for("effect/FiberScope/Global"), () => ({
  roots: new Set<unknown>()
}))

/** The fibers of a life that ended by a crash never end themselves: without this they would be kept for ever. */
export const bury = (): void => roots.clear()
