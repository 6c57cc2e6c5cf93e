import { expect, test } from "bun:test"
import { Effect } from "effect"
import * as Buckets from "../../src/services/internal/Buckets.ts"
import { RateLimits } from "../../src/services/RateLimits.ts"
import * as Contract from "../../src/testing/Contract.ts"
import { suite } from "../../src/testing/contracts/RateLimits.ts"
import { it } from "../lib/effect.ts"

Contract.tests(suite, RateLimits.layerMemory({ crud: 2, alert: 0 }), test)

test("the number of buckets is limited, and the clock may go backwards", () => {
  const buckets = Buckets.make(1000, 2)
  const take = (key: string, now: number) => buckets.take(key, 1, now) >= 0
  expect(["a", "a", "b", "a"].map((key) => take(key, 10_000))).toEqual([true, false, true, false])
  // The third bucket takes the place of b's, which was used longest ago.
  expect(["c", "a", "b"].map((key) => take(key, 10_000))).toEqual([true, false, true])
  expect(take("b", 5_000)).toBe(false)
  expect(take("b", 6_000)).toBe(true)
})

it.effect("a rate of 0 for the records removes the dashboard's limit too", () =>
  Effect.gen(function* () {
    const lifted = yield* Effect.provide(RateLimits, RateLimits.layerMemory({ crud: 0, alert: 1 }))
    expect(yield* lifted.take("dashboard", "a", 0)).toBeUndefined()
  })
)
