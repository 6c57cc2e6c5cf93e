// The guide as browsers fetch it: public, compressed, kept by caches, with a strict policy, and on the main port alone.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib"
import * as Archive from "../../src/web/Archive.ts"
import * as Assets from "../../src/web/Assets.ts"
import { bundle } from "../../src/web/bundle.ts"
import { headingOf } from "../../src/web/guide/Addresses.ts"
import { NO_LIMITS, start, type TestServer } from "../lib/server.ts"

let server: TestServer
beforeAll(async () => {
  const packed = Archive.pack(await bundle(), {
    br: (body) => brotliCompressSync(body),
    gzip: (body) => gzipSync(body)
  })
  server = await start(NO_LIMITS, {
    pages: Assets.make(() => Archive.open(new Blob([Uint8Array.from(packed)]))),
    help: (code) => headingOf("errors", code)
  })
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  server.fetch(path, { method, headers })

/** The files that a page names, without the addresses of other pages. */
const filesOf = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/\b(?:src|href|data-index)="(\/assets\/[^"]*)"/g)].map(([, path = ""]) => path)

test("every page is there without a token, and runs nothing but files of this server", async () => {
  const [, contents = ""] = (await (await get("/guide")).text()).split(`<nav id="guide.contents"`)
  const pages = [...contents.matchAll(/<li><a href="(\/guide\/[a-z-]+)"/g)].map(([, path = ""]) => path)
  expect(pages).toContain("/guide/bots")
  for (const path of ["/guide", ...pages]) {
    const response = await get(path)
    const html = await response.text()
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      200,
      "text/html; charset=utf-8"
    ])
    expect(response.headers.get("cache-control")).toBe("no-cache")
    const policy = response.headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).toContain("form-action 'none'")
    expect(policy).not.toMatch(/https?:|unsafe/)
    expect([path, /<style|style=|\son\w+=|<script[^>]*>[^<]|(?:src)="https?:/.test(html)]).toEqual([
      path,
      false
    ])
    for (const file of filesOf(html)) {
      const { headers, status } = await get(file, {}, "HEAD")
      expect([file, status, headers.get("cache-control")]).toEqual([
        file,
        200,
        "public, max-age=31536000, immutable"
      ])
    }
  }
})

test("each is sent smaller to whoever takes that, and not at all to whoever has it", async () => {
  const index = filesOf(await (await get("/guide/bots")).text()).find((path) => path.endsWith(".json")) ?? ""
  for (const path of ["/guide", "/guide/bots", index]) {
    const plain = await get(path)
    const text = await plain.text()
    const zipped = await get(path, { "accept-encoding": "gzip" })
    expect([path, zipped.headers.get("content-encoding")]).toEqual([path, "gzip"])
    expect(gunzipSync(await zipped.bytes()).toString()).toBe(text)
    const known = { "if-none-match": plain.headers.get("etag") ?? "" }
    const again = await get(path, known)
    expect([path, again.status, await again.text()]).toEqual([path, 304, ""])
    const head = await get(path, {}, "HEAD")
    expect([path, head.headers.get("content-length"), await head.text()]).toEqual([
      path,
      String(Buffer.byteLength(text)),
      ""
    ])
    expect((await get(path, {}, "POST")).status).toBe(405)
  }
})

test("an address without a page is not found, in the guide's look, and nothing outside it is reached", async () => {
  const unknown = ["/guide/nope", "/guide/404", "/guide/bots.md", "/guide/bots/", "/guide/index"]
  const outside = [
    "/guide/..%2f..%2fpackage.json",
    "/guide//etc/passwd",
    "/guide/__proto__",
    "/guide/\\..\\main.ts"
  ]
  for (const path of [...unknown, ...outside]) {
    const response = await get(path, { "if-none-match": "*" })
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      404,
      "text/html; charset=utf-8"
    ])
    expect([path, response.headers.get("cache-control"), response.headers.get("etag")]).toEqual([
      path,
      "no-store",
      null
    ])
    const html = await response.text()
    expect(html).toContain("<h1>Page not found</h1>")
    expect(html).toContain(`href="/guide/bots"`)
    expect((await (await get(path, {}, "HEAD")).text()) === "").toBe(true)
  }
  for (const path of ["/guidex", "/guides/bots"]) {
    const response = await get(path)
    expect([path, response.status, response.headers.get("content-type")]).toEqual([
      path,
      404,
      "application/problem+json"
    ])
  }
})

test("the port of alerts alone has no guide, and without the dashboard there is none", async () => {
  const alerts = await server.edge.handleAlerts(new Request("http://localhost/guide"), () => "")
  expect(alerts.status).toBe(404)
  const bare = await start()
  for (const path of ["/guide", "/guide/bots"])
    expect([path, (await bare.fetch(path)).status]).toEqual([path, 404])
  expect((await bare.fetch("/v1/signals")).headers.get("link")).toBe(null)
  await bare.stop()
})

test("an error names the text that explains it, on the port that has the guide", async () => {
  const auth = { authorization: `Bearer ${server.ann}` }
  const cases: ReadonlyArray<
    readonly [method: string, path: string, headers: Record<string, string>, code: string]
  > = [
    ["GET", "/v1/signals", {}, "unauthorized"],
    ["GET", "/v1/signals/99", auth, "not_found"],
    ["PATCH", "/v1/signals", auth, "method_not_allowed"],
    ["GET", "/nowhere", {}, "not_found"],
    ["POST", "/v1/signals/alert", auth, "invalid_request"],
    ["POST", "/v1/signals/charting", {}, "unauthorized"]
  ]
  for (const [method, path, headers, code] of cases) {
    const response = await get(path, headers, method)
    expect([path, response.headers.get("link")]).toEqual([path, `</guide/errors#${code}>; rel="help"`])
    expect(response.headers.get("content-type")).toBe("application/problem+json")
    expect(await response.json()).toMatchObject({ code, status: response.status })
  }
  expect((await get("/v1/signals", auth)).headers.get("link")).toBe(null)
  const alerts = await server.edge.handleAlerts(
    new Request("http://localhost/v1/signals/charting", { method: "POST" }),
    () => ""
  )
  expect([alerts.status, alerts.headers.get("link")]).toEqual([401, null])
})
