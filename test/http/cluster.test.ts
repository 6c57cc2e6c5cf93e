// What a node of a cluster tells a scraper, a load balancer and the dashboard; a server alone tells nothing of it, and only
// the operator learns of other machines.
import { expect, test } from "bun:test"
import * as ClusterMetrics from "../../src/http/metrics/ClusterMetrics.ts"
import * as Exposition from "../../src/http/metrics/Exposition.ts"
import type { ClusterReading, NodeReading } from "../../src/services/health/ClusterReading.ts"
import { parse } from "../lib/exposition.ts"
import { start } from "../lib/server.ts"

const node = (address: string, more: Partial<NodeReading> = {}): NodeReading => ({
  ...{ address, version: "1.2.3", partitions: 80, behind: 2, seenMs: 1500 },
  ...{ isThere: true, isDraining: false },
  ...more
})
const whole = {
  nodes: [
    node("10.0.0.2:8090"),
    node("10.0.0.3:8090", { isDraining: true }),
    node("10.0.0.4:8090", { isThere: false, isDraining: true })
  ],
  dark: 96,
  epochs: 1024
}
const reading: ClusterReading = {
  ...{ address: "10.0.0.2:8090", partitions: 80, behind: 2, isDraining: false },
  whole
}

const samples = (read: ClusterReading) => {
  const metrics = parse(Exposition.render(ClusterMetrics.families(read)))
  return Object.fromEntries(
    [...metrics].map(([name, { samples }]) => [
      name.replace("signalbox_cluster_", ""),
      Object.fromEntries(samples)
    ])
  )
}

test("metrics tell a node's part and the whole, without naming a machine", () => {
  expect(samples(reading)).toEqual({
    partitions: { "": 80 },
    draining: { "": 0 },
    nodes: { '{state="running"}': 1, '{state="draining"}': 1, '{state="lost"}': 1 },
    partitions_dark: { "": 96 },
    epochs_total: { "": 1024 }
  })
})

test("metrics of the whole have no value while the database is away, and a server alone has none of them", () => {
  expect(samples({ ...reading, whole: undefined })).toEqual({
    ...{ partitions: { "": 80 }, draining: { "": 0 } },
    ...{ nodes: {}, partitions_dark: {}, epochs_total: {} }
  })
  expect(ClusterMetrics.families(undefined)).toEqual([])
})

test("a node that is to be stopped is not ready, and goes on answering", async () => {
  const server = await start()
  const status = async () => (await server.fetch("/readyz")).status
  expect(await status()).toBe(200)
  await server.cluster(reading)
  expect(await status()).toBe(200)
  await server.cluster({ ...reading, isDraining: true })
  expect(await status()).toBe(503)
  expect((await server.fetch("/healthz")).status).toBe(200)
  const asked = await server.fetch("/v1/signals", { headers: { authorization: `Bearer ${server.ann}` } })
  expect(asked.status).toBe(200)
  await server.stop()
})

test("the dashboard shows the nodes to the operator, and to nobody else", async () => {
  const server = await start()
  const clusterOf = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return JSON.parse(await (await server.fetch("/v1/dashboard/overview", { headers })).text()).cluster
  }
  expect(await clusterOf(server.ann)).toBeNull()
  await server.cluster(reading)
  const { dark_partitions, nodes } = await clusterOf(server.ann)
  expect(dark_partitions).toBe(96)
  const known = { version: "1.2.3", partitions: 80, behind: 2, seen_at: expect.any(Number) }
  expect(nodes).toEqual([
    { address: "10.0.0.2:8090", state: "running", ...known },
    { address: "10.0.0.3:8090", state: "draining", ...known },
    { address: "10.0.0.4:8090", state: "lost", ...known }
  ])
  expect(await clusterOf(server.bob)).toBeNull()
  await server.stop()
})
