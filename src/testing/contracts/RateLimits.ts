// The contract of `RateLimits`: each caller has a bucket of each kind, and learns what is left and when to try again.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Group, RateLimits } from "../../services/RateLimits.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { pass } from "../VirtualClock.ts"

/**
 * The promises of `RateLimits`, over a layer with two requests a second for records and no limit for alerts, as
 * `RateLimits.layerMemory({ crud: 2, alert: 0 })`. An implementer gives each caller a bucket of each kind, reports what
 * is left in it and when to try again, never lets it hold more than a second's worth, and bounds the buckets.
 */
export const suite = Contract.suite<RateLimits>("RateLimits", (it) => {
  it("a bucket allows two requests at once, then one each 500 ms, and never more than two", () =>
    Effect.gen(function* () {
      const takes: Array<string> = []
      for (const step of [0, 0, 0, 499, 1, 0, 500, 250, 250, 10_000, 0, 0]) {
        yield* pass(step)
        takes.push(`${step} ${(yield* took("a")) ? "yes" : "no"}`)
      }
      expect(takes.join(", ")).toBe(
        "0 yes, 0 yes, 0 no, 499 no, 1 yes, 0 no, 500 yes, 250 no, 250 yes, 10000 yes, 0 yes, 0 no"
      )
      expect(yield* took("b")).toBe(true)
    }))

  it("the remaining requests are reported, and when to try again", () =>
    Effect.gen(function* () {
      expect(yield* take("signals", "a")).toEqual({ limit: 2, remaining: 1, resetSeconds: 1 })
      yield* take("signals", "a")
      expect(yield* Effect.flip(take("signals", "a"))).toMatchObject({
        limit: 2,
        retryAfterSeconds: 1,
        isAuthentication: false
      })
      expect(yield* take("alert", "a")).toBeUndefined()
    }))

  it("ten authentications may fail in a minute, then one every six seconds", () =>
    Effect.gen(function* () {
      const { failedAuthentication } = yield* RateLimits
      for (let index = 0; index < 10; index++) yield* failedAuthentication("p")
      expect(yield* Effect.flip(failedAuthentication("p"))).toMatchObject({
        retryAfterSeconds: 6,
        isAuthentication: true
      })
      yield* failedAuthentication("q")
      yield* pass("6 seconds")
      yield* failedAuthentication("p")
      yield* Effect.flip(failedAuthentication("p"))
    }))

  it("the dashboard has a bucket of its own, whatever the rate of the records", () =>
    Effect.gen(function* () {
      expect(yield* take("dashboard", "a")).toEqual({ limit: 50, remaining: 49, resetSeconds: 1 })
      for (let index = 1; index < 50; index++) yield* take("dashboard", "a")
      expect(yield* Effect.flip(take("dashboard", "a"))).toMatchObject({ limit: 50, retryAfterSeconds: 1 })
      yield* take("signals", "a")
    }))
})

const take = (group: Group, caller: string) =>
  Effect.flatMap(RateLimits, (limits) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => limits.take(group, caller, now))
  )

const took = (caller: string) => Effect.map(Effect.either(take("signals", caller)), Either.isRight)
