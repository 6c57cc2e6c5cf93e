// The memory of the start is given back once, when the server rests.
import { expect } from "bun:test"
import { Effect, Fiber, TestClock } from "effect"
import { giveBack } from "../../src/cli/program/startMemory.ts"
import { it } from "../lib/effect.ts"

/** A process, and the seconds that pass for it. */
const aProcess = (residentBytes: number) => {
  let [used, shrunk] = [0, 0]
  const second = (ms: number) =>
    Effect.suspend(() => {
      used += ms
      return TestClock.adjust("1 second")
    })
  return {
    process: { usedMs: () => used, residentBytes: () => residentBytes, shrink: () => shrunk++ },
    /** How often it has shrunk after so many seconds, in each of which it uses so many milliseconds. */
    shrunkAfter: (seconds: number, ms: number) =>
      Effect.map(Effect.repeatN(second(ms), seconds - 1), () => shrunk)
  }
}

it.effect("a busy server keeps its code, and one at rest gives back what the start needed, once", () =>
  Effect.gen(function* () {
    const { process, shrunkAfter } = aProcess(150 * 2 ** 20)
    const fiber = yield* Effect.fork(giveBack(process))
    expect(yield* shrunkAfter(10, 20)).toBe(0)
    expect(yield* shrunkAfter(60, 400)).toBe(0)
    expect(yield* shrunkAfter(2, 20)).toBe(0)
    expect(yield* shrunkAfter(1, 400)).toBe(0)
    expect(yield* shrunkAfter(3, 20)).toBe(1)
    expect(yield* shrunkAfter(600, 20)).toBe(1)
    yield* Fiber.join(fiber)
  })
)

it.effect("a server with much in memory never stands still for it", () =>
  Effect.gen(function* () {
    const { process, shrunkAfter } = aProcess(400 * 2 ** 20)
    const fiber = yield* Effect.fork(giveBack(process))
    expect(yield* shrunkAfter(60, 20)).toBe(0)
    yield* Fiber.join(fiber)
  })
)
