import { expect, test } from "bun:test"
import { Effect, Either, TestClock } from "effect"
import * as Buckets from "../../src/services/Buckets.ts"
import { RateLimits } from "../../src/services/RateLimits.ts"
import { layer } from "../lib/effect.ts"

const { effect } = layer(RateLimits.layerMemory({ crud: 2, alert: 0 }))

const took = (caller: string) =>
  Effect.flatMap(RateLimits, (limits) =>
    Effect.map(Effect.either(limits.take("signals", caller)), Either.isRight)
  )

effect("two at once, then one each 500 ms, never more than two", () =>
  Effect.gen(function* () {
    const takes: Array<string> = []
    for (const step of [0, 0, 0, 499, 1, 0, 500, 250, 250, 10_000, 0, 0]) {
      yield* TestClock.adjust(step)
      takes.push(`${step} ${(yield* took("a")) ? "yes" : "no"}`)
    }
    expect(takes.join(", ")).toBe(
      "0 yes, 0 yes, 0 no, 499 no, 1 yes, 0 no, 500 yes, 250 no, 250 yes, 10000 yes, 0 yes, 0 no"
    )
    expect(yield* took("b")).toBe(true)
  })
)

effect("what is left is told, and when to come again", () =>
  Effect.gen(function* () {
    const limits = yield* RateLimits
    expect(yield* limits.take("signals", "a")).toEqual({ limit: 2, remaining: 1, resetSeconds: 1 })
    yield* limits.take("signals", "a")
    expect(yield* Effect.flip(limits.take("signals", "a"))).toMatchObject({ limit: 2, retryAfterSeconds: 1 })
    expect(yield* limits.take("alert", "a")).toBeUndefined()
  })
)

effect("ten failed authentications in a minute, then one every six seconds", () =>
  Effect.gen(function* () {
    const { failedAuthentication } = yield* RateLimits
    for (let index = 0; index < 10; index++) yield* failedAuthentication("p")
    expect(yield* Effect.flip(failedAuthentication("p"))).toMatchObject({ retryAfterSeconds: 6 })
    yield* failedAuthentication("q")
    yield* TestClock.adjust("6 seconds")
    yield* failedAuthentication("p")
    yield* Effect.flip(failedAuthentication("p"))
  })
)

test("the number of buckets is bounded, and the clock may go backwards", () => {
  const buckets = Buckets.make(1000, 2)
  const take = (key: string, now: number) => buckets.take(key, 1, now) >= 0
  expect(["a", "a", "b", "a"].map((key) => take(key, 10_000))).toEqual([true, false, true, false])
  // The third bucket takes the place of b's, which was used longest ago.
  expect(["c", "a", "b"].map((key) => take(key, 10_000))).toEqual([true, false, true])
  expect(take("b", 5_000)).toBe(false)
  expect(take("b", 6_000)).toBe(true)
})

effect("the dashboard has a bucket of its own, whatever the rate of the records is", () =>
  Effect.gen(function* () {
    const { take } = yield* RateLimits
    expect(yield* take("dashboard", "a")).toEqual({ limit: 50, remaining: 49, resetSeconds: 1 })
    for (let index = 1; index < 50; index++) yield* take("dashboard", "a")
    expect(yield* Effect.flip(take("dashboard", "a"))).toMatchObject({ limit: 50, retryAfterSeconds: 1 })
    yield* take("signals", "a")
    const lifted = yield* Effect.provide(RateLimits, RateLimits.layerMemory({ crud: 0, alert: 1 }))
    expect(yield* lifted.take("dashboard", "a")).toBeUndefined()
  })
)
