// The bundle: small, deterministic, without inline scripts, and with the contract's routes.
import { expect, test } from "bun:test"
import { brotliCompressSync } from "node:zlib"
import { bundle, routes } from "../../src/web/bundle.ts"

const made = bundle()
const text = (body: Uint8Array) => new TextDecoder().decode(body)
const size = (body: Uint8Array) => brotliCompressSync(body).length

test("the document names its script, style and icon, and contains no inline script or style", async () => {
  const assets = await made
  const page = assets.find(({ path }) => path === "/")
  expect(page).toMatchObject({ type: "text/html; charset=utf-8", immutable: false })
  const html = text(page?.body ?? new Uint8Array())
  const named = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path ?? "")
  expect(named.length).toBeGreaterThanOrEqual(3)
  const paths = assets.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(named))
  expect(html).not.toMatch(/%[A-Z]+%|<style|style=|\son\w+=|<script[^>]*>[^<]/)
})

test("every other file has a name that changes with it, and comes from this server alone", async () => {
  const assets = (await made).filter(({ path }) => path !== "/")
  for (const { body, immutable, path, type } of assets) {
    expect([path, immutable]).toEqual([expect.stringMatching(/^\/assets\/\w+-\w{8}\.(js|css|svg)$/), true])
    expect([path, type]).not.toEqual([path, "application/octet-stream"])
    expect([path, /@import|(?:import|src|url)\s*\(?\s*["']?https?:/.test(text(body))]).toEqual([path, false])
  }
})

test("the bundle is the same every time", async () => {
  const hashes = (assets: Awaited<typeof made>) => assets.map(({ body, path }) => [path, Bun.hash(body)])
  expect(hashes(await bundle())).toEqual(hashes(await made))
})

test("the first view is small, and charts and pages are fetched when they are shown", async () => {
  const assets = await made
  const html = text(assets.find(({ path }) => path === "/")?.body ?? new Uint8Array())
  const first = assets.filter(({ path }) => path === "/" || html.includes(path))
  expect(first.reduce((sum, { body }) => sum + size(body), 0)).toBeLessThan(40_000)
  const all = assets.reduce((sum, { body }) => sum + size(body), 0)
  expect(all).toBeLessThan(200_000)
  for (const { body } of first) expect(text(body)).not.toContain("createSeriesMarkers")
  // The contract itself stays on the server.
  for (const { body } of assets) expect(text(body)).not.toContain("@effect/platform")
})

test("the table of operations equals the contract's", () => {
  expect(routes()).toMatchObject({
    "signals.create": ["POST", "/v1/signals"],
    "strategies.update": ["PUT", "/v1/strategies/:id"],
    "events.stream": ["GET", "/v1/events"]
  })
})
