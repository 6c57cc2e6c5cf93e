import { expect, test } from "bun:test"
import { SteadyClock } from "../../../src/prices/streaming/SteadyClock.ts"

test("steady time follows the clock, stands while that is set back, and knows what it shows", () => {
  let clock = 1000
  const steady = new SteadyClock(() => clock)
  const seen: Array<readonly [now: number, shown: number]> = []
  for (clock of [1000, 1500, 500, 700, 700, 4000]) seen.push([steady.now(), steady.shown(1200)])
  expect(seen).toEqual([
    [1000, 1200],
    [1500, 1200],
    [1500, 200],
    [1700, 200],
    [1700, 200],
    [5000, 200]
  ])
})
