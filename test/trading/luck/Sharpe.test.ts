// The published numbers of the deflated Sharpe ratio, and known values of the normal distribution.
import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { shareBelow, valueAt } from "../../../src/trading/luck/Normal.ts"
import * as Sharpe from "../../../src/trading/luck/Sharpe.ts"

/** The example of "The Deflated Sharpe Ratio" (2014): a ratio of 2.5 a year over 1,250 of 250 days a year. */
const EXAMPLE = { count: 1250, sharpe: 2.5 / Math.sqrt(250), skewness: -3, kurtosis: 10 }
/** The variance of the trials' ratios a year, as one of a day. */
const VARIANCE = 0.5 / 250

test("the deflated Sharpe ratio equals the published numbers to four digits", () => {
  expect(Sharpe.deflated(EXAMPLE, 100, VARIANCE).toFixed(4)).toBe("0.9004")
  expect(Sharpe.deflated(EXAMPLE, 46, VARIANCE).toFixed(4)).toBe("0.9505")
  // The paper's expected best ratio of 100 trials, 0.1132 a day.
  expect(Sharpe.expectedBest(100, VARIANCE).toFixed(4)).toBe("0.1132")
})

test("a single trial is compared with a ratio of 0", () => {
  expect(Sharpe.expectedBest(1, 1)).toBe(0)
  expect(Sharpe.deflated(EXAMPLE, 1, VARIANCE)).toBe(Sharpe.probabilityAbove(EXAMPLE, 0))
})

test("the normal distribution has the values of its tables, in its tails too", () => {
  for (const [value, share] of [
    [0, 0.5],
    [1, 0.841344746068543],
    [-1.96, 0.0249978951482204],
    [3, 0.99865010196837],
    [-6, 9.86587645037698e-10],
    [-10, 7.61985302416053e-24]
  ] as const)
    expect(Math.abs(shareBelow(value) / share - 1)).toBeLessThan(1e-12)
  expect(valueAt(0.95)).toBeCloseTo(1.6448536269514722, 12)
  expect([valueAt(0), valueAt(1), valueAt(-1), valueAt(2)]).toEqual([-Infinity, Infinity, NaN, NaN])
})

test("a share's value has that share below it", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (share) => {
      expect(Math.abs(shareBelow(valueAt(share)) - share)).toBeLessThan(1e-12)
    })
  )
})

test("moments are those of the textbook, and a record without variation has none", () => {
  const { count, kurtosis, sharpe, skewness } = Sharpe.returnsOf([1, 2, 3, 4, 10]) ?? {}
  // numpy and scipy: mean 4, sample deviation 3.5355, skewness 1.1384, kurtosis 2.788
  expect(count).toBe(5)
  expect(sharpe).toBeCloseTo(4 / Math.sqrt(12.5), 12)
  expect(skewness).toBeCloseTo(1.1384199576606167, 12)
  expect(kurtosis).toBeCloseTo(2.788, 12)
  expect(Sharpe.returnsOf([0.01])).toBeUndefined()
  expect(Sharpe.returnsOf([0.01, 0.01, 0.01])).toBeUndefined()
})

test("a longer record needs no more periods than the least, and a ratio of 0 or less never has enough", () => {
  const least = Sharpe.leastPeriods(EXAMPLE, 0.95) ?? 0
  expect(Sharpe.probabilityAbove({ ...EXAMPLE, count: least }, 0)).toBeGreaterThanOrEqual(0.95)
  expect(Sharpe.probabilityAbove({ ...EXAMPLE, count: least - 1 }, 0)).toBeLessThan(0.95)
  expect(Sharpe.leastPeriods({ ...EXAMPLE, sharpe: 0 }, 0.95)).toBeUndefined()
  expect(Sharpe.leastPeriods({ ...EXAMPLE, sharpe: -1 }, 0.95)).toBeUndefined()
})

test("more trials, or more different ones, never make the best look better", () => {
  const trials = FastCheck.integer({ min: 1, max: 1_000_000 })
  const variance = FastCheck.double({ min: 0, max: 1, noNaN: true })
  FastCheck.assert(
    FastCheck.property(trials, variance, (count, spread) => {
      const now = Sharpe.deflated(EXAMPLE, count, spread)
      expect(Sharpe.deflated(EXAMPLE, count + 1, spread)).toBeLessThanOrEqual(now + 1e-12)
      expect(Sharpe.deflated(EXAMPLE, count, spread * 2)).toBeLessThanOrEqual(now + 1e-12)
    })
  )
})
