// Runs effects as tests of bun:test: `it.effect` on a test clock, `it.live` on the real one, `layer` with services.
import { test } from "bun:test"
import { Effect, Exit, Layer, type Scope, TestContext, type TestServices } from "effect"
import { errorOf } from "../../src/testing/VirtualClock.ts"

/** A test is an effect; its scope is closed at its end. */
type Test<R> = (
  name: string,
  self: () => Effect.Effect<unknown, unknown, R | Scope.Scope>,
  timeoutMs?: number
) => void

interface Tests<R> {
  /** Time starts at 0 and moves by `TestClock.adjust`. */
  readonly effect: Test<R | TestServices.TestServices>
  /** The same; used where the scope matters to the test. */
  readonly scoped: Test<R | TestServices.TestServices>
  /** On the real clock. */
  readonly live: Test<R>
}

/** Runs an effect as a test: rejects with its own error. */
export const run = async <E>(self: Effect.Effect<unknown, E>): Promise<void> => {
  const exit = await Effect.runPromiseExit(self)
  if (Exit.isSuccess(exit)) return
  throw errorOf(exit.cause)
}

/** Tests with a layer that is built anew for each: `layer(Signals.layerMemory).effect(...)`. */
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
