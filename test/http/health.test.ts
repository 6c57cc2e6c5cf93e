// What health says of rules of signals and of a cluster: nothing where there are none, else how they stand.
import { expect, test } from "bun:test"
import { Effect, Layer } from "effect"
import * as Health from "../../src/http/edge/Health.ts"
import type { ClusterReading } from "../../src/services/health/ClusterReading.ts"
import { Measurements, Meters, type RuleReading } from "../../src/services/health/Meters.ts"
import * as PriceFeed from "../../src/services/PriceFeed.ts"

const NONE: RuleReading = {
  ...{ rules: 0, stopped: 0, series: 0, waiting: 0, behindMs: 0, lagMs: 0, corrected: 0 },
  ...{ alerts: 0, repeats: 0, withheld: 0, witnessed: 0, announced: 0, stoodIn: 0 }
}

const said = async (reading: RuleReading | undefined, cluster?: ClusterReading): Promise<unknown> => {
  const meters = new Measurements()
  meters.rules.reading = () => reading
  meters.cluster.reading = () => cluster
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

test("health of a server alone says nothing of a cluster", async () => {
  expect(await said(undefined)).not.toHaveProperty("cluster")
})

test("health of a node tells its own part and the whole, and only its own while the database is away", async () => {
  const node = { version: "1.2.3", behind: 0, seenMs: 500, isThere: true, isDraining: false }
  const nodes = [
    { ...node, address: "10.0.0.2:8090", partitions: 100 },
    { ...node, address: "10.0.0.3:8090", partitions: 150 },
    { ...node, address: "10.0.0.4:8090", partitions: 0, isThere: false }
  ]
  const own = { address: "10.0.0.2:8090", partitions: 100, behind: 7, isDraining: false }
  const there = await said(undefined, { ...own, whole: { nodes, dark: 6, epochs: 812 } })
  expect(there).toMatchObject({
    cluster: {
      ...{ node: "10.0.0.2:8090", partitions: 100, behind: 7, draining: false },
      ...{ nodes: 2, dark_partitions: 6, epochs: 812 }
    }
  })
  // Strangers may read it: it names no other machine.
  expect(JSON.stringify(there)).not.toContain("10.0.0.3")
  expect(await said(undefined, { ...own, whole: undefined })).toMatchObject({
    cluster: { node: "10.0.0.2:8090", partitions: 100, behind: 7, draining: false }
  })
  expect(await said(undefined, { ...own, whole: undefined })).not.toHaveProperty("cluster.dark_partitions")
})
