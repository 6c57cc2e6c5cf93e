// Successive halving: its stretches and what goes on, and the variance that all trials would have.
import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { PCGRandom } from "effect/Utils"
import * as Sharpe from "../../src/trading/luck/Sharpe.ts"
import { rungsOf, survivors, varianceOver } from "../../src/trading/sweep/Halving.ts"

test("stretches end together, each three times as long as the one before, and the last is all of train", () => {
  expect(rungsOf(81, { first: 0, end: 900 })).toEqual([
    { from: 800, most: 81 },
    { from: 600, most: 27 },
    { from: 0, most: 9 }
  ])
  FastCheck.assert(
    FastCheck.property(FastCheck.integer({ min: 1, max: 1_000_000 }), (count) => {
      const rungs = rungsOf(count, { first: 1_000, end: 82_000 })
      expect(rungs.length).toBeLessThanOrEqual(4)
      expect(rungs[0]?.most).toBe(count)
      expect(rungs.at(-1)?.from).toBe(1_000)
      if (rungs.length > 1) expect(rungs.at(-1)?.most).toBeGreaterThanOrEqual(9)
      for (const [at, { from, most }] of rungs.slice(1).entries()) {
        expect((82_000 - from) / (82_000 - (rungs[at]?.from ?? 0))).toBeCloseTo(3, 9)
        expect(most).toBe(Math.ceil(count / 3 ** (at + 1)))
      }
    })
  )
})

test("the better ones go on, and of equal ones the first of the grid", () => {
  const places = Uint32Array.of(4, 7, 9, 12)
  expect([...survivors(places, Float64Array.of(1, 3, 1, 1), 2)]).toEqual([4, 7])
  expect([...survivors(places, Float64Array.of(1, 2, -Infinity, 3), 3)]).toEqual([4, 7, 12])
  expect([...survivors(places, Float64Array.of(0, 0, 0, 0), 9)]).toEqual([4, 7, 9, 12])
})

test("from a third of the days the variance of ratios without skill is foretold for all of them", () => {
  const random = new PCGRandom(3)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.number())) * Math.cos(2 * Math.PI * random.number())
  const records = Array.from({ length: 2_000 }, () => Float64Array.from({ length: 120 }, normal))
  const ratios = (days: number) =>
    Float64Array.from(records, (record) => Sharpe.returnsOf(record.subarray(0, days))?.sharpe ?? 0)
  const foretold = varianceOver(ratios(40), { measured: 40, days: 120 })
  expect(foretold / Sharpe.varianceOf(ratios(120))).toBeCloseTo(1, 0)
  expect(varianceOver(ratios(40), { measured: 40, days: 0 })).toBe(0)
})
