import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Backtest from "../../src/trading/Backtest.ts"
import { cases } from "./oracle/Cases.ts"
import { compare } from "./oracle/Compare.ts"
import type { Taste } from "./oracle/Draws.ts"
import { recordedCases } from "./oracle/Recorded.ts"
import { caseOf } from "./oracle/Worlds.ts"
import { world } from "./world.ts"

const RUNS = 120
/** The same worlds each time: levels in doubles may part at a rounding, once in thousands. */
const SEED = 20_221_213

const SPOT = ["buy", "buy", "sell"] as const
const SWAP = ["long", "long", "short", "short", "close_long", "close_short"] as const
const TASTE: Taste = {
  candles: 14,
  alerts: 12,
  pairs: 1,
  types: SPOT,
  chart: true,
  steps: true,
  ladders: true
}

test("the sequence of the candle files changes nothing", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.integer({ min: 1, max: 1_000_000 }), (seed) => {
      const { backtest } = world(seed, 2)
      const other = Backtest.run({ ...backtest, series: backtest.series.toReversed() })
      expect(other).toEqual(Backtest.run(backtest))
    }),
    { numRuns: RUNS, seed: SEED }
  )
})

describe("the engine and a second one, written from the specification alone, give the same answer", () => {
  const kinds = [
    ["of 1 pair", 1, false],
    ["of 2 pairs", 2, false],
    ["where prices double and margins are gone at once", 1, true],
    ["of 2 pairs like that", 2, true]
  ] as const
  for (const [name, pairs, isWild] of kinds) {
    test(`over long random worlds ${name}`, () => {
      FastCheck.assert(
        FastCheck.property(FastCheck.integer({ min: 1, max: 1_000_000 }), (seed) => {
          const { difference, isFragile } = compare(caseOf(world(seed, pairs, isWild)))
          if (!isFragile) expect(difference).toBeUndefined()
        }),
        { numRuns: RUNS, seed: SEED }
      )
    })
  }

  const tastes: ReadonlyArray<readonly [name: string, taste: Partial<Taste>]> = [
    [
      "without what follows the chart",
      { types: [...SPOT, ...SWAP], pairs: 2, chart: false, steps: false, ladders: false }
    ]
  ]
  for (const [name, taste] of tastes) {
    test(`over short cases of coarse numbers ${name}`, () => {
      FastCheck.assert(
        FastCheck.property(cases({ ...TASTE, ...taste }), (one) => {
          const { difference, isFragile } = compare(one)
          if (!isFragile) expect(difference).toBeUndefined()
        }),
        { numRuns: 4 * RUNS, seed: SEED }
      )
    })
  }

  test("over excerpts of a recorded day", () => {
    const taste: Taste = {
      ...TASTE,
      candles: 120,
      alerts: 30,
      types: [...SPOT, ...SWAP],
      chart: false,
      steps: false,
      ladders: false
    }
    FastCheck.assert(
      FastCheck.property(recordedCases(taste), (one) => {
        const { difference, isFragile } = compare(one)
        if (!isFragile) expect(difference).toBeUndefined()
      }),
      { numRuns: RUNS, seed: SEED }
    )
  })
})
