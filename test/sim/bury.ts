// Releases the fibers of a crashed life, which never end by themselves and would be kept for ever.
import { GlobalValue } from "effect"

/** Where Effect keeps forked fibers until they end. */
const { roots } = GlobalValue.globalValue(Symbol.for("effect/FiberScope/Global"), () => ({
  roots: new Set<unknown>()
}))

/** Forgets all of them. */
export const bury = (): void => roots.clear()
