// `--metrics-port`: metrics without a token, on loopback only.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { signalbox } from "../lib/cli.ts"
import { serving } from "../lib/serving.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-metrics-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns a free port. */
const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })

test("--metrics-port opens a loopback port for the metrics alone, and says so", async () => {
  const port = await freePort()
  // The server listens on every interface, but its metrics do not.
  const server = await serving("--db", join(folder, "x.db"), "--host", "0.0.0.0", "--metrics-port", `${port}`)
  try {
    const url = `http://127.0.0.1:${port}`
    await server.says(new RegExp(`metrics, for this machine only, are at ${url}/metrics\n`))
    const told = await fetch(`${url}/metrics`)
    expect([told.status, (await told.text()).includes("signalbox_alerts_stored_total")]).toEqual([200, true])
    expect((await fetch(`${url}/v1/signals`)).status).toBe(404)
    expect((await fetch(`${server.url.replace("0.0.0.0", "127.0.0.1")}/metrics`)).status).toBe(401)
    const sockets = Bun.spawnSync(["cat", "/proc/net/tcp"]).stdout.toString()
    const hex = port.toString(16).toUpperCase().padStart(4, "0")
    const places = [...sockets.matchAll(new RegExp(`^ *\\d+: ([0-9A-F]{8}):${hex} 00000000:0000 0A`, "gm"))]
    expect(places.map(([, address]) => address)).toEqual(["0100007F"])
  } finally {
    await server.stop()
  }
}, 30_000)

test("an invalid metrics port is rejected", async () => {
  const { code, error } = await signalbox("serve", "--metrics-port", "70000", "--db", join(folder, "y.db"))
  expect([code, error]).toEqual([
    2,
    "signalbox: --metrics-port (SIGNALBOX_METRICS_PORT) takes a number from 0 to 65535, and not 70000\n"
  ])
})
