import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Backtest from "../../src/trading/Backtest.ts"
import type { Case } from "./oracle/Case.ts"
import { cases, nearerToLife } from "./oracle/Cases.ts"
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
const ALL = { chart: true, steps: true, ladders: true } as const
const PLAIN = { chart: false, steps: false, ladders: false } as const
const TASTE: Taste = { candles: 14, alerts: 12, pairs: 1, types: SPOT, ...ALL }

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

  const both = [...SPOT, ...SWAP]
  const drawings: ReadonlyArray<readonly [name: string, drawn: FastCheck.Arbitrary<Case>, runs: number]> = [
    ["short cases on spot", cases(TASTE), 300],
    ["short cases on a perpetual", cases({ ...TASTE, types: SWAP }), 300],
    ["short cases on both", cases({ ...TASTE, types: both }), 300],
    ["short cases of 2 pairs", cases({ ...TASTE, types: both, pairs: 2 }), 300],
    ["short cases that follow no chart", cases({ ...TASTE, types: both, pairs: 2, ...PLAIN }), 300],
    ["long cases of 2 pairs", cases({ candles: 40, alerts: 40, pairs: 2, types: both, ...ALL }), 100],
    [
      "excerpts of a recorded day",
      recordedCases({ candles: 120, alerts: 30, pairs: 1, types: both, ...ALL }),
      100
    ],
    ["short cases with fills nearer to life", nearerToLife(cases({ ...TASTE, types: both, pairs: 2 })), 600],
    [
      "excerpts of a recorded day with fills nearer to life",
      nearerToLife(recordedCases({ candles: 120, alerts: 30, pairs: 1, types: both, ...ALL })),
      100
    ]
  ]
  for (const [name, drawn, numRuns] of drawings) {
    test(`over ${name}`, () => {
      FastCheck.assert(
        FastCheck.property(drawn, (one) => {
          const { difference, isFragile } = compare(one)
          if (!isFragile) expect(difference).toBeUndefined()
        }),
        { numRuns, seed: SEED }
      )
    })
  }
})
