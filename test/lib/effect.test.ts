// Tests of the test helpers in effect.ts: clock, scope and layers.
import { describe, expect } from "bun:test"
import { Clock, Context, Duration, Effect, Fiber, Layer, Option, Ref, TestClock } from "effect"
import { it, layer } from "./effect.ts"

describe("the clock of a test", () => {
  it.effect("is virtual with it.effect, also for sleepers", () =>
    Effect.gen(function* () {
      const sleeper = yield* Effect.fork(Effect.sleep("1 day"))
      yield* TestClock.adjust("23 hours")
      expect(Option.isNone(yield* Fiber.poll(sleeper))).toBe(true)
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(sleeper)
      expect(yield* Clock.currentTimeMillis).toBe(Duration.toMillis("1 day"))
    })
  )

  it.effect("starts at 0, whatever time earlier tests let pass", () =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      expect(now).toBe(0)
    })
  )

  it.live("is real with it.live", () =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      expect(now).toBeGreaterThan(Date.UTC(2025, 0))
    })
  )
})

const released: Array<string> = []

describe("a test with it.scoped", () => {
  it.scoped("opens a scope for its body", () =>
    Effect.addFinalizer(() => Effect.sync(() => released.push("closed")))
  )
  it.effect("closes the scope after its body", () =>
    Effect.sync(() => {
      expect(released).toEqual(["closed"])
    })
  )
})

class Counter extends Context.Tag("test/Counter")<Counter, Ref.Ref<number>>() {
  static readonly layerMemory = Layer.effect(Counter, Ref.make(0))
}

describe("a layer shared by tests", () => {
  const { effect } = layer(Counter.layerMemory)
  for (const time of ["first", "second"]) {
    effect(`is built anew, the ${time} time`, () =>
      Effect.gen(function* () {
        expect(yield* Ref.updateAndGet(yield* Counter, (n) => n + 1)).toBe(1)
      })
    )
  }
})
