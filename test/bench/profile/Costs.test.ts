import { expect, test } from "bun:test"
import { type Costs, ELSEWHERE, line, settled } from "./Costs.ts"

const costs = (whole: number, parts: Readonly<Record<string, number>>): Costs => ({
  name: "start",
  what: "one start",
  unit: "ms",
  whole,
  parts: Object.entries(parts).map(([part, amount]) => ({ part, amount }))
})

test("parts that add up to the whole within 10 % pass, the largest first", () => {
  const { ok, text } = line(costs(100, { small: 10, large: 82 }))
  expect(ok).toBe(true)
  expect(text.indexOf("large")).toBeLessThan(text.indexOf("small"))
})

test("parts that are too little or too much fail", () => {
  expect([line(costs(100, { all: 89 })).ok, line(costs(100, { all: 111 })).ok]).toEqual([false, false])
})

test("a table fails where more than 10 % of the whole has no name", () => {
  expect(line(costs(100, { known: 88, [ELSEWHERE]: 12 })).ok).toBe(false)
})

test("a table that does not add up is measured again, three times at most", async () => {
  let runs = 0
  const found = await settled(async () => costs(100, { all: ++runs === 2 ? 100 : 50 }))
  expect([found.parts[0]?.amount, runs]).toEqual([100, 2])
  runs = 10
  await settled(async () => costs(100, { all: runs++ }))
  expect(runs).toBe(13)
})
