import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { Venue } from "./venue.ts"

test("whatever an exchange does, a live bot breaks no rule and its books are exact", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.integer({ min: 1, max: 1_000_000 }), (seed) => {
      expect(new Venue(seed).run(400).broken).toEqual([])
    }),
    { numRuns: 60 }
  )
}, 30_000)

test("every kind of event happens in these lives", () => {
  const seen = new Set<string>()
  for (let seed = 1; seed <= 60; seed++)
    for (const rule of Object.keys(new Venue(seed).run(400).counts)) seen.add(rule)
  const rules =
    "opened closed averaged stop_placed stop_cancelled daily_loss astray found written_off dust disarmed"
  expect(rules.split(" ").filter((rule) => !seen.has(rule))).toEqual([])
  // A gate that had to step in would be a flaw of the rules.
  expect(seen.has("order_refused")).toBe(false)
}, 30_000)
