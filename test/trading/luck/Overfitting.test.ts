// The probability of overfitting, beside a calculation that keeps every return.
import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { PCGRandom } from "effect/Utils"
import { BLOCK_WIDTH, blocksFor, sumUp } from "../../../src/trading/luck/Blocks.ts"
import * as Overfitting from "../../../src/trading/luck/Overfitting.ts"

type Returns = ReadonlyArray<number>

const trialsOf = (all: ReadonlyArray<Returns>, blocks: number): Overfitting.Trials => {
  const sums = new Float64Array(all.length * blocks * BLOCK_WIDTH)
  for (const [place, returns] of all.entries())
    sumUp(Float64Array.from(returns), blocks, sums, place * blocks * BLOCK_WIDTH)
  return { count: all.length, blocks, days: all[0]?.length ?? 0, sums }
}

/** The textbook: cut the matrix in blocks, join each half, rank by the Sharpe ratio, and look at the logit's sign. */
const textbook = (all: ReadonlyArray<Returns>, blocks: number): number => {
  const days = all[0]?.length ?? 0
  const blockOf = (day: number) => {
    let block = 0
    while (Math.floor(((block + 1) * days) / blocks) <= day) block++
    return block
  }
  const ratio = (returns: Returns) => {
    const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length
    return (
      mean / Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (returns.length - 1))
    )
  }
  const choices = (from: number, size: number): ReadonlyArray<ReadonlyArray<number>> =>
    size === 0
      ? [[]]
      : Array.from({ length: blocks - from }, (_, step) => from + step).flatMap((block) =>
          choices(block + 1, size - 1).map((rest) => [block, ...rest])
        )
  const halves = choices(0, blocks / 2)
  const overfitted = halves.map((half) => {
    const of = (isInside: boolean) =>
      all.map((returns) => ratio(returns.filter((_, day) => half.includes(blockOf(day)) === isInside)))
    const [inside, outside] = [of(true), of(false)]
    const chosen = inside.indexOf(Math.max(...inside))
    const below = outside.filter((value) => value < (outside[chosen] ?? 0)).length
    const relative = (below + 1) / (all.length + 1)
    const logit = Math.log(relative / (1 - relative))
    return Math.abs(logit) < 1e-9 ? 0.5 : logit < 0 ? 1 : 0
  })
  return overfitted.reduce<number>((sum, value) => sum + value, 0) / overfitted.length
}

test("sums of blocks give the same probability as all returns, for any returns", () => {
  const whole = (min: number, max: number) => FastCheck.integer({ min, max })
  FastCheck.assert(
    FastCheck.property(whole(2, 9), whole(12, 40), whole(1, 2 ** 31), (count, days, seed) => {
      const random = new PCGRandom(seed)
      const returns = () => Array.from({ length: days }, () => (random.number() - 0.5) / 10)
      const all = Array.from({ length: count }, returns)
      const ours = Overfitting.measure(trialsOf(all, 6))
      expect(ours?.halvings).toBe(20)
      expect(ours?.probability).toBeCloseTo(textbook(all, 6), 9)
    }),
    { numRuns: 200 }
  )
})

test("a trial that is better on every day is never overfitted, and one that is better on some always is", () => {
  const noise = (trial: number, day: number) => Math.sin(trial * 91.7 + day * 12.9) / 100
  const days = Array.from({ length: 160 }, (_, day) => day)
  const random = Array.from({ length: 20 }, (_, trial) => days.map((day) => noise(trial, day)))
  const skilled = [...random, days.map((day) => 0.05 + noise(21, day))]
  expect(Overfitting.measure(trialsOf(skilled, 16))).toEqual({ probability: 0, halvings: 12_870 })
  // Each trial gains in one half of the days what it loses in the other.
  const turning = [1, -1].map((sign) => days.map((day) => (day < 80 ? sign : -sign) * 0.01 + noise(1, day)))
  expect(Overfitting.measure(trialsOf(turning, 2))?.probability).toBe(1)
})

test("too few days, or a single trial, say nothing", () => {
  expect([0, 1, 11].map(blocksFor)).toEqual([1, 1, 1])
  expect([12, 13, 16, 31, 32, 10_000].map(blocksFor)).toEqual([6, 6, 8, 14, 16, 16])
  expect(Overfitting.measure(trialsOf([[1, 2, 3]], 1))).toBeUndefined()
  const one = Array.from({ length: 12 }, (_, day) => day)
  expect(Overfitting.measure(trialsOf([one], 6))).toBeUndefined()
})

test("trials that are all alike are in the middle of each other", () => {
  const one = Array.from({ length: 12 }, (_, day) => (day % 3) - 0.5)
  expect(Overfitting.measure(trialsOf([one, one, one], 6))?.probability).toBe(0.5)
})
