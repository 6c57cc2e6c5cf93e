// The adversary: an account that keeps the engine busy without an end. Turns that follow each other are one piece of
// work, and it is interrupted: requests are served within it.
import { expect } from "bun:test"
import { Clock, Effect } from "effect"
import * as Breath from "../../src/services/engine/Breath.ts"
import { it } from "../lib/effect.ts"

/** Time as the test says it is; pauses are real ones. */
const inTime = Effect.gen(function* () {
  const clock = { at: 1_000 }
  const time = Object.assign(Clock.make(), { currentTimeMillis: Effect.sync(() => clock.at) })
  const breath = Breath.make()
  const on = <A>(self: Effect.Effect<A>) => Effect.withClock(self, time)
  /** Whether others had their turn meanwhile. */
  const served = (self: Effect.Effect<void>) =>
    Effect.gen(function* () {
      let isServed = false
      const timer = setTimeout(() => {
        isServed = true
      })
      yield* on(self)
      clearTimeout(timer)
      return isServed
    })
  return { clock, served, breath }
})

it.live("a few milliseconds of work go on, longer work pauses, and then the time counts anew", () =>
  Effect.gen(function* () {
    const { breath, clock, served } = yield* inTime
    expect(yield* served(breath.begin)).toBe(false)
    clock.at += 7
    expect(yield* served(breath.pause)).toBe(false)
    clock.at += 1
    expect(yield* served(breath.pause)).toBe(true)
    clock.at += 7
    expect(yield* served(breath.pause)).toBe(false)
  })
)

it.live("turns in direct succession count as one piece of work, and a turn after a rest counts anew", () =>
  Effect.gen(function* () {
    const { breath, clock, served } = yield* inTime
    expect(yield* served(breath.begin)).toBe(false)
    clock.at += 5
    yield* served(breath.end)
    clock.at += 1
    expect(yield* served(breath.begin)).toBe(false)
    clock.at += 5
    yield* served(breath.end)
    clock.at += 1
    expect(yield* served(breath.begin)).toBe(true)
    yield* served(breath.end)
    clock.at += 100
    expect(yield* served(breath.begin)).toBe(false)
  })
)
