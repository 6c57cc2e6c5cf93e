import { expect, test } from "bun:test"
import * as KeptResults from "../../src/sql/readers/KeptResults.ts"

const columns = (count: number, last = count) => ({
  at: Float64Array.from({ length: count }, (_, place) => place),
  pnl: new Float64Array(count),
  last
})

test("pages are added at the end of what is known, which stays as it was", () => {
  const known = columns(2)
  const all = KeptResults.joined(known, [
    { at: [7, 8], pnl: [1, 2], last: 9 },
    { at: [9], pnl: [3], last: 12 }
  ])
  expect([[...all.at], [...all.pnl], all.last]).toEqual([[0, 1, 7, 8, 9], [0, 0, 1, 2, 3], 12])
  expect(known).toEqual(columns(2))
  expect(KeptResults.joined(known, [])).toEqual(known)
})

test("a read that ended later with less replaces nothing, and the memory is bounded", () => {
  const kept = new KeptResults.KeptResults()
  kept.keep("1/1", columns(100_000))
  kept.keep("1/1", columns(10))
  expect(kept.get("1/1", 0).at.length).toBe(100_000)
  kept.keep("2/1", columns(100_000))
  // Read again: the other one goes first.
  kept.keep("1/1", columns(100_001))
  kept.keep("3/1", columns(100_000))
  expect(["1/1", "2/1", "3/1"].map((key) => kept.get(key, -1).at.length)).toEqual([100_001, 0, 100_000])
  kept.keep("4/1", columns(300_000))
  expect(["1/1", "3/1", "4/1"].map((key) => kept.get(key, -1).at.length)).toEqual([0, 0, 0])
  expect(kept.get("4/1", -1).last).toBe(-1)
})
