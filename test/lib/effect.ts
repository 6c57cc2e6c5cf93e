import { test } from "bun:test"
import { Effect, Exit, Layer, type Scope, TestContext, type TestServices } from "effect"
import { errorOf } from "../../src/testing/VirtualClock.ts"

/** A test is an effect; a scope that it opens is closed when it ends. */
type Test<R> = (
  name: string,
  self: () => Effect.Effect<unknown, unknown, R | Scope.Scope>,
  timeoutMs?: number
) => void

interface Tests<R> {
  /** Time stands still at 0 until the test says `TestClock.adjust`. */
  readonly effect: Test<R | TestServices.TestServices>
  /** The same: written where the scope is the point of the test. */
  readonly scoped: Test<R | TestServices.TestServices>
  /** On the real clock. */
  readonly live: Test<R>
}

const run = async <E>(self: Effect.Effect<unknown, E>): Promise<void> => {
  const exit = await Effect.runPromiseExit(self)
  if (Exit.isSuccess(exit)) return
  throw errorOf(exit.cause)
}

/** Tests that are given a layer, built anew for each of them: `layer(Signals.layerMemory).effect(...)`. */
export const layer = <R, E>(provided: Layer.Layer<R, E>): Tests<R> => {
  const virtual = Layer.provideMerge(provided, TestContext.TestContext)
  const effect: Tests<R>["effect"] = (name, self, timeoutMs) =>
    test(name, () => run(Effect.scoped(Effect.suspend(self)).pipe(Effect.provide(virtual))), timeoutMs)
  return {
    effect,
    scoped: effect,
    live: (name, self, timeoutMs) =>
      test(name, () => run(Effect.scoped(Effect.suspend(self)).pipe(Effect.provide(provided))), timeoutMs)
  }
}

/** `it.effect("name", () => Effect.gen(function* () { ... }))`, and the same for `it.scoped`, `it.live`. */
export const it = layer(Layer.empty)
