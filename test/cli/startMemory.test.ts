// The memory of the start is given back once, soon after the server listens.
import { expect } from "bun:test"
import { Effect, Fiber, TestClock } from "effect"
import { giveBack } from "../../src/cli/program/startMemory.ts"
import { it } from "../lib/effect.ts"

/** How often a server of this size has shrunk half a second after it listens, after one second, and after an hour. */
const shrunk = Effect.fnUntraced(function* (residentBytes: number) {
  let times = 0
  const fiber = yield* Effect.fork(giveBack({ residentBytes: () => residentBytes, shrink: () => times++ }))
  const counts: Array<number> = []
  for (const passes of ["500 millis", "500 millis", "1 hour"] as const) {
    yield* TestClock.adjust(passes)
    counts.push(times)
  }
  yield* Fiber.join(fiber)
  return counts
})

it.effect(
  "a server gives back once what its start needed, and with much in memory it never stands still for that",
  () =>
    Effect.gen(function* () {
      expect(yield* shrunk(150 * 2 ** 20)).toEqual([0, 1, 1])
      expect(yield* shrunk(400 * 2 ** 20)).toEqual([0, 0, 0])
    })
)
