// How often orders are asked about.
import { expect, test } from "bun:test"
import { LookupSchedule } from "../../src/services/engine/orders/LookupSchedule.ts"

/** How often an order is asked about from a time to another, with a look each second. */
const asks = (pace: LookupSchedule, name: string, from: number, to: number, isResting = false): number => {
  let count = 0
  for (let now = from; now < to; now += 1000) if (pace.isDue(name, isResting, now)) count++
  return count
}

test("an order is asked about every second at first, and less and less often while it does not end", () => {
  const pace = new LookupSchedule()
  expect(asks(pace, "1", 0, 60_000)).toBe(60)
  expect(asks(pace, "1", 60_000, 600_000)).toBeLessThan(250)
  expect(asks(pace, "1", 3_600_000, 7_200_000)).toBe(120)
})

test("a resting stop is asked about every five seconds, however long", () => {
  const pace = new LookupSchedule()
  expect(asks(pace, "1", 0, 60_000, true)).toBe(12)
  expect(asks(pace, "1", 86_400_000, 86_460_000, true)).toBe(12)
})

test("an order is asked about at once if the clock was set back or the order was forgotten", () => {
  const pace = new LookupSchedule()
  asks(pace, "1", 0, 3_600_000)
  expect(pace.isDue("1", false, 1000)).toBe(true)
  asks(pace, "2", 0, 3_600_000)
  pace.keep(new Set(["1"]))
  expect(asks(pace, "2", 3_600_000, 3_660_000)).toBe(60)
})
