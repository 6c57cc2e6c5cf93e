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

const isPage = ({ path }: { readonly path: string }) => path === "/" || path.startsWith("/guide")

test("every other file has a name that changes with it, and comes from this server alone", async () => {
  const assets = (await made).filter((asset) => !isPage(asset))
  for (const { body, immutable, path, type } of assets) {
    expect([path, immutable]).toEqual([
      expect.stringMatching(/^\/assets\/\w+-\w{8}\.(js|css|svg|json|png|html)$/),
      true
    ])
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
  const guide = assets.filter(({ path }) => path.startsWith("/guide"))
  const read = guide.map(({ body }) => text(body)).join("")
  // The template of reports is read when somebody saves one.
  const isGuides = ({ path }: { readonly path: string }) =>
    isPage({ path }) || read.includes(path) || path.startsWith("/assets/report-")
  const all = assets.filter((asset) => first.includes(asset) || !isGuides(asset))
  expect(all.reduce((sum, { body }) => sum + size(body), 0)).toBeLessThan(200_000)
  // A page of the guide needs its style and script; the search's index comes when somebody searches.
  const around = assets.filter(({ path }) => /^\/assets\/guide-.*\.(?:js|css)$/.test(path))
  expect(around.map(({ path }) => path.replace(/.*\./, "")).sort()).toEqual(["css", "js"])
  for (const page of guide) {
    const bytes = [page, ...around].reduce((sum, { body }) => sum + size(body), 0)
    expect([page.path, bytes < 30_000]).toEqual([page.path, true])
  }
  for (const { body } of first) expect(text(body)).not.toContain("createSeriesMarkers")
  // The contract itself stays on the server.
  for (const { body } of all) expect(text(body)).not.toContain("@effect/platform")
})

test("the table of operations equals the contract's", () => {
  expect(routes()).toMatchObject({
    "signals.create": ["POST", "/v1/signals"],
    "strategies.update": ["PUT", "/v1/strategies/:id"],
    "events.stream": ["GET", "/v1/events"]
  })
})
