// Candles through a running server, against a stub of Binance: downloaded in the background, cancelled, listed, removed.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { KlineGateway } from "../exchanges/KlineGateway.ts"
import { signalbox, start } from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "candles-served-"))
const db = join(folder, "signalbox.db")
const series = { exchange: "binance", pair: "BTC/USDT", kind: "spot", timeframe: "1m" }
let gateway: KlineGateway
let server: ReturnType<typeof start>
let base = ""
let token = ""

beforeAll(async () => {
  gateway = await KlineGateway.start()
  const issued = await signalbox("token", "create", "--account", "me", "--db", db, "--json")
  token = JSON.parse(issued.out).token
  const urls = ["--exchange-urls", `binance=${gateway.url}`]
  server = start("serve", "--port", "0", "--prices", "none", "--db", db, ...urls)
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of server.stderr) {
    text += decoder.decode(bytes, { stream: true })
    base = /listening on (\S+),/.exec(text)?.[1] ?? ""
    if (base !== "") break
  }
}, 60_000)
afterAll(async () => {
  server.kill()
  await server.exited
  await gateway.stop()
  rmSync(folder, { recursive: true })
})

const ask = async (method: string, path = "", body?: object) => {
  const response = await fetch(`${base}/v1/dashboard/candles${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}
const ended = async () => {
  for (;;) {
    const { download } = (await ask("GET", "/download")).body
    if (download.stage !== "running") return download
    await Bun.sleep(50)
  }
}

test("a download goes on in the background, is listed with its holes, and is removed", async () => {
  expect((await ask("GET")).body).toEqual({ is_on: true, data: [], total: 0 })
  const request = { ...series, from: "2026-06-01", to: "2026-06-02" }
  const begun = await ask("POST", "/download", request)
  expect(begun).toMatchObject({ status: 202, body: { download: { ...series, stage: "running" } } })
  expect(await ask("POST", "/download", request)).toMatchObject({
    status: 409,
    body: { code: "candles_busy" }
  })
  expect((await ask("POST", "/remove", series)).status).toBe(409)
  expect(await ended()).toMatchObject({
    stage: "done",
    failure: null,
    done: 2880,
    total: 2880,
    result: { days_fetched: 2, days_kept: 0, candles_fetched: 2877, missing: 3, listed_from: null }
  })
  const { data } = (await ask("GET")).body
  const from = Date.UTC(2026, 5, 1) / 1000
  expect(data).toMatchObject([
    {
      ...series,
      from,
      to: from + 2 * 86_400 - 60,
      count: 2877,
      missing: 3,
      more_holes: 0,
      holes: [{ from: from + 90 * 60, to: from + 92 * 60, candles: 3, known: true }]
    }
  ])
  expect((await ask("POST", "/remove", series)).body).toEqual({ days_removed: 2 })
  expect((await ask("GET")).body.data).toEqual([])
}, 60_000)

test("a download is cancelled in the middle, and one that the exchange cannot serve says why", async () => {
  gateway.pace = 200
  await ask("POST", "/download", { ...series, from: "2026-06-01", to: "2026-06-30" })
  while ((await ask("GET", "/download")).body.download.done === 0) await Bun.sleep(50)
  const cancelled = await ask("DELETE", "/download")
  expect(cancelled.body.download).toMatchObject({ stage: "cancelled", failure: null })
  gateway.pace = 0
  await ask("POST", "/download", { ...series, pair: "NOPE/USDT", from: "2026-06-01", to: "2026-06-01" })
  const failed = await ended()
  expect(failed).toMatchObject({
    stage: "failed",
    failure: expect.stringContaining("does not list NOPE/USDT")
  })
}, 60_000)
