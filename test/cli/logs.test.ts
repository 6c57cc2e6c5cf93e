// The log's formats: JSON lines and text.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { signalbox, start } from "../lib/cli.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-logs-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The log of a server that answers one request and stops. */
const logged = async (...options: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const db = join(folder, "x.db")
  const child = start(
    "--log-level",
    "debug",
    "serve",
    "--port",
    "0",
    "--prices",
    "none",
    "--db",
    db,
    ...options
  )
  let text = ""
  for await (const chunk of child.stderr) {
    const before = text.length
    text += new TextDecoder().decode(chunk)
    const url = /listening on (http:\S+),/.exec(text)?.[1]
    if (url === undefined || text.slice(0, before).includes(url)) continue
    const secret = "/v1/signals/charting?key=sbx_hook_secret&coin=SECRET"
    await fetch(url + secret, { method: "POST", body: "SECRET" })
    setTimeout(() => child.kill("SIGTERM"), 100)
  }
  expect(text).not.toMatch(/secret/i)
  return text.split("\n").filter((line) => line.includes("charting"))
}

test("at level debug each request is a line of JSON, with its id and without the caller's address", async () => {
  const [line = "", ...more] = await logged()
  expect(more).toEqual([])
  const said: unknown = JSON.parse(line)
  expect(said).toMatchObject({ level: "debug", message: "POST /v1/signals/charting 401" })
  expect(said).toHaveProperty("request_id")
  expect(said).toHaveProperty("time")
}, 20_000)

test("pretty logs are text, and have no colours off a terminal", async () => {
  const [line = ""] = await logged("--log-format", "pretty")
  expect(line).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d DEBUG POST \/v1\/signals\/charting 401 .*request_id=\S+/
  )
  expect(line).not.toContain("\u001b")
}, 20_000)

test("an unknown log format is rejected", async () => {
  const { code, error } = await signalbox("serve", "--log-format", "xml", "--db", join(folder, "y.db"))
  expect([code, error]).toEqual([
    2,
    "signalbox: --log-format (SIGNALBOX_LOG_FORMAT) takes json, pretty or auto, and not xml\n"
  ])
}, 20_000)
