// Figures marked to the market equal those of a second calculation with its own arithmetic, over random histories.
import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { difference, foldDifference, stretched } from "./marked/difference.ts"
import { cases } from "./oracle/Cases.ts"
import type { Taste } from "./oracle/Draws.ts"
import { recordedCases } from "./oracle/Recorded.ts"
import { caseOf } from "./oracle/Worlds.ts"
import { world } from "./world.ts"

const SPOT = ["buy", "buy", "sell"] as const
const SWAP = ["long", "long", "short", "short", "close_long", "close_short"] as const
const BOTH = [...SPOT, ...SWAP]
const TASTE: Taste = {
  candles: 40,
  alerts: 40,
  pairs: 2,
  types: BOTH,
  chart: true,
  steps: true,
  ladders: true
}
/** The same histories each time; `SEED=7 MORE=20 bun test` looks at others. */
const SEED = Number(Bun.env["SEED"] ?? 20_221_213)
const MORE = Number(Bun.env["MORE"] ?? 1)
/** Candles of a minute, of hours, of a day, and of several days. */
const factors = FastCheck.constantFrom(1, 97, 1440, 5000)

describe("figures marked to the market and a second calculation give the same answer", () => {
  const drawings = [
    ["short cases on spot", cases({ ...TASTE, candles: 14, alerts: 12, pairs: 1, types: SPOT }), 300],
    ["short cases on a perpetual", cases({ ...TASTE, candles: 14, alerts: 12, pairs: 1, types: SWAP }), 300],
    ["long cases of 2 pairs", cases(TASTE), 300],
    ["excerpts of a recorded day", recordedCases({ ...TASTE, pairs: 1, candles: 120, alerts: 30 }), 60]
  ] as const
  for (const [name, drawn, numRuns] of drawings)
    test(`over ${name}, minutes and days apart`, () => {
      FastCheck.assert(
        FastCheck.property(drawn, factors, (one, factor) => {
          expect(difference(stretched(one, factor))).toBeUndefined()
        }),
        { numRuns: numRuns * MORE, seed: SEED }
      )
    })

  test("over worlds where margins are gone at once", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 1, max: 1_000_000 }), factors, (seed, factor) => {
        expect(difference(stretched(caseOf(world(seed, 2, true)), factor))).toBeUndefined()
      }),
      { numRuns: 40 * MORE, seed: SEED }
    )
  })

  test("over samples of a running server, with gaps, of which some stand for many", () => {
    const money = FastCheck.integer({ min: -20, max: 200 }).map((value) => value / 4)
    const sample = FastCheck.record({
      gap: FastCheck.integer({ min: 1, max: 4000 }),
      equity: money,
      notional: FastCheck.integer({ min: 0, max: 100 }),
      isHeld: FastCheck.boolean(),
      weight: FastCheck.integer({ min: 1, max: 60 }),
      hold: money
    })
    const histories = FastCheck.record({
      start: FastCheck.integer({ min: 0, max: 2000 }),
      starting: FastCheck.integer({ min: 0, max: 40 }),
      drawn: FastCheck.array(sample, { minLength: 1, maxLength: 80, size: "max" })
    })
    FastCheck.assert(
      FastCheck.property(histories, ({ drawn, start, starting }) => {
        let at = start * 60_000
        const samples = drawn.map(({ gap, ...rest }) => {
          at += gap * 60_000
          return { at, ...rest, notional: rest.isHeld ? rest.notional : 0 }
        })
        expect(foldDifference({ at: start * 60_000, equity: starting }, samples)).toBeUndefined()
      }),
      { numRuns: 1000 * MORE, seed: SEED }
    )
  })
})
