// What health says of rules of signals: nothing where there are none, else how they stand.
import { expect, test } from "bun:test"
import { Effect, Layer } from "effect"
import * as Health from "../../src/http/edge/Health.ts"
import { Measurements, Meters, type RuleReading } from "../../src/services/health/Meters.ts"
import * as PriceFeed from "../../src/services/PriceFeed.ts"

const NONE: RuleReading = {
  ...{ rules: 0, stopped: 0, series: 0, waiting: 0, behindMs: 0, lagMs: 0, corrected: 0 },
  ...{ alerts: 0, repeats: 0, withheld: 0, witnessed: 0, announced: 0, stoodIn: 0 }
}

const said = async (reading: RuleReading | undefined): Promise<unknown> => {
  const meters = new Measurements()
  meters.rules.reading = () => reading
  const health = Effect.flatten(Health.make).pipe(
    Effect.provide(Layer.merge(PriceFeed.layerNone, Layer.succeed(Meters, meters)))
  )
  return (await Effect.runPromise(health)).json()
}

test("health leaves rules out where no signal has one", async () => {
  for (const reading of [undefined, NONE]) expect(await said(reading)).not.toHaveProperty("rules")
})

test("health counts rules that act, wait or do nothing, and says how late the latest candle is", async () => {
  const late = { ...NONE, rules: 3, stopped: 1, waiting: 2, behindMs: 61_900 }
  expect(await said(late)).toMatchObject({ rules: { at_work: 3, stopped: 1, waiting: 2, behind: 61 } })
  expect(await said({ ...NONE, stopped: 1 })).toMatchObject({ rules: { at_work: 0, stopped: 1 } })
})
