// The adversary: somebody whose request breaks a rule as often as a body has room for.
import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { read } from "../../src/domain/requests/StrategyRequest.ts"
import { MAX_VIOLATIONS, Violations, violation } from "../../src/domain/requests/Violations.ts"

const asking = (pairs: ReadonlyArray<unknown>) =>
  read({ exchanges: [{ exchange_name: "binance", coin_pairs: pairs }] }, Option.none()).violations.filter(
    ({ field }) => field === "exchanges"
  )

describe("a request that breaks one rule thousands of times", () => {
  test("is answered with the first hundred violations", () => {
    const many = Array.from({ length: 32_000 }, (_, place) => violation("exchanges", `[${place}] is wrong`))
    const { errors } = Violations.of(many)
    expect(errors["exchanges"]).toHaveLength(MAX_VIOLATIONS)
    expect(errors["exchanges"]?.[99]).toBe("[99] is wrong")
  })

  test("is answered with every field among the hundred, and no text twice", () => {
    const { errors } = Violations.of([violation("a", "x"), violation("b", "y"), violation("a", "x")])
    expect(errors).toEqual({ a: ["x"], b: ["y"] })
  })

  test("is answered with one text for too many values in a field", () => {
    expect(asking(Array.from({ length: 32_000 }, () => 1))).toEqual([
      violation("exchanges", "must hold at most 5000 values")
    ])
    expect(asking([[[[Array.from({ length: 6_000 }, () => ({}))]]]])).toEqual([
      violation("exchanges", "must hold at most 5000 values")
    ])
    expect(asking(Array.from({ length: 200 }, () => 1))).toHaveLength(200)
  })

  test("takes time in proportion to its size", () => {
    const time = (count: number) => {
      const many = Array.from({ length: count }, (_, place) => violation("exchanges", `${place}`))
      const from = performance.now()
      for (let round = 0; round < 20; round++) Violations.of(many)
      return performance.now() - from
    }
    time(2_000)
    expect(time(32_000)).toBeLessThan(24 * Math.max(1, time(2_000)))
  })
})
