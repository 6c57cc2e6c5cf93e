// The memory of the start is given back once, when the server rests.
import { expect } from "bun:test"
import { Effect, Fiber, TestClock } from "effect"
import { giveBack } from "../../src/cli/program/startMemory.ts"
import { it } from "../lib/effect.ts"

it.effect("a busy server keeps its code, and one at rest gives back what the start needed, once", () =>
  Effect.gen(function* () {
    let [used, shrunk] = [0, 0]
    const fiber = yield* Effect.fork(giveBack({ usedMs: () => used, shrink: () => shrunk++ }))
    const second = (ms: number) =>
      Effect.suspend(() => {
        used += ms
        return TestClock.adjust("1 second")
      })
    const shrunkAfter = (seconds: number, ms: number) =>
      Effect.map(Effect.repeatN(second(ms), seconds - 1), () => shrunk)
    expect(yield* shrunkAfter(10, 100)).toBe(0)
    expect(yield* shrunkAfter(60, 900)).toBe(0)
    expect(yield* shrunkAfter(3, 100)).toBe(1)
    expect(yield* shrunkAfter(600, 100)).toBe(1)
    yield* Fiber.join(fiber)
  })
)
