import { describe, expect, test } from "bun:test"
import { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { luckLines } from "../../../src/trading/whatIf/LuckWords.ts"
import { luckOf, type Measured, sharpeOf } from "../../../src/trading/whatIf/TryLuck.ts"

/** Daily returns with this mean, in percent, and as many trades as days. */
const measured = (seed: number, mean = 0, days = 60): Measured => {
  const dice = new SeededRandom(seed)
  const returns = Float64Array.from({ length: days }, () => mean / 100 + (dice.next() - 0.5) / 50)
  return { returns, results: returns.map((value) => value * 1000), starting: 1000 }
}

/** The ratios of tries without any skill. */
const unskilled = (count: number): ReadonlyArray<Measured> =>
  Array.from({ length: count }, (_, index) => measured(index + 1))

describe("the luck of a what-if", () => {
  test("of a single try is that of one record, with nothing to expect of others", () => {
    const of = measured(3, 0.5)
    const luck = luckOf(of, [sharpeOf(of)])
    expect(luck).toMatchObject({ tries: 1, expected: 0, luckyNet: 0, days: 60, trades: 60 })
    expect(luckLines(luck, "USDT")[0]).toContain("One try is not proof")
  })

  test("the more are tried, the more the best of them is lucky by, and the less is it believed", () => {
    const best = measured(3, 0.25)
    const sharpes = unskilled(40).map(sharpeOf)
    const found = [2, 5, 20, 40].map((count) => luckOf(best, sharpes.slice(0, count)))
    const expected = found.slice(1).map(({ luckyNet }) => luckyNet)
    expect(expected).toEqual([...expected].sort((one, other) => one - other))
    expect(found[3]?.deflated ?? 1).toBeLessThan(found[1]?.deflated ?? 0)
  })

  test("the best of forty tries without skill is not called more than luck", () => {
    let praised = 0
    for (let world = 0; world < 50; world++) {
      const tries = Array.from({ length: 40 }, (_, index) => measured(1000 * (world + 1) + index))
      const sharpes = tries.map(sharpeOf)
      const [best] = tries.toSorted((one, other) => sharpeOf(other) - sharpeOf(one))
      if (best !== undefined && luckOf(best, sharpes).verdict === "holds") praised++
    }
    expect(praised).toBeLessThanOrEqual(3)
  })

  test("real skill is seen among tries without it", () => {
    const best = measured(7, 1)
    const luck = luckOf(best, [sharpeOf(best), ...unskilled(5).map(sharpeOf)])
    expect(luck.verdict).toBe("holds")
    expect(luckLines(luck, "USDT").at(-1)).toContain("more than luck")
  })

  test("with few trades or few days nothing is said but that they are too few", () => {
    const short = measured(7, 1, 10)
    const few = { ...measured(7, 1), results: Float64Array.from([1, 2]) }
    for (const of of [short, few, { ...few, returns: new Float64Array(60) }]) {
      const luck = luckOf(of, [0.1])
      expect(luck.verdict).toBe("tooFew")
      expect(luckLines(luck, "USDT").join(" ")).not.toMatch(/Sharpe|better/)
    }
  })

  test("a test without any trade has a ratio of 0 and no interval", () => {
    const luck = luckOf(
      { returns: new Float64Array(30), results: new Float64Array(0), starting: 100 },
      [0, 0]
    )
    expect(luck).toMatchObject({ interval: undefined, sharpe: undefined, luckyNet: 0, verdict: "tooFew" })
  })
})
