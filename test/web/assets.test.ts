// The dashboard's files: encodings, caching, and the security policy.
import { describe, expect, test } from "bun:test"
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib"
import { Effect, Exit, Layer, Logger, ManagedRuntime, Scope } from "effect"
import { type Coding, codingOf, hasAlready } from "../../src/api/Negotiation.ts"
import { serve } from "../../src/http/serve.ts"
import * as Archive from "../../src/web/Archive.ts"
import * as Assets from "../../src/web/Assets.ts"
import { NO_LIMITS, start, world } from "../lib/server.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const html = `<!doctype html>${"<p>signals</p>".repeat(50)}`
const script = "export const a = 1;".repeat(100)
const FILES = [
  { path: "/", type: "text/html; charset=utf-8", body: bytes(html), immutable: false },
  {
    path: "/assets/main-abc.js",
    type: "text/javascript; charset=utf-8",
    body: bytes(script),
    immutable: true
  },
  { path: "/assets/dot-abc.svg", type: "image/svg+xml", body: bytes("<svg/>"), immutable: true }
]
const packed = Archive.pack(FILES, { br: (body) => brotliCompressSync(body), gzip: (body) => gzipSync(body) })
let opened = 0
const open = () => {
  opened++
  return Archive.open(new Blob([Uint8Array.from(packed)]))
}

describe("an Accept-Encoding header", () => {
  const all = () => true
  const cases: ReadonlyArray<readonly [string | null, Coding]> = [
    [null, "identity"],
    ["", "identity"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["br;q=0, gzip;q=0", "identity"],
    ["*", "br"],
    ["*;q=0, identity;q=0.5", "identity"],
    ["BR ; Q=1", "br"],
    ["br;q=x", "identity"],
    ["deflate", "identity"]
  ]
  test.each(cases)("%p is answered with %s", (header, coding) => expect(codingOf(header, all)).toBe(coding))
  test("is answered with an encoding that exists", () => {
    expect(codingOf("br, gzip", (coding) => coding !== "br")).toBe("gzip")
    expect(codingOf("br, gzip", (coding) => coding === "identity")).toBe("identity")
  })
})

test("a client's copy is recognised as current by its ETag", () => {
  for (const header of [`"a"`, `W/"a"`, `"b", "a"`, "*"])
    expect([header, hasAlready(header, `"a"`)]).toEqual([header, true])
  for (const header of [null, "", "a", `"b"`])
    expect([header, hasAlready(header, `"a"`)]).toEqual([header, false])
})

test("the dashboard is small, cacheable and has a content policy, and no file is read before it is requested", async () => {
  opened = 0
  const server = await start(NO_LIMITS, { pages: Assets.make(open) })
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    server.fetch(path, { method, headers })
  expect((await get("/healthz")).status).toBe(200)
  expect(opened).toBe(0)

  const page = await get("/", { "accept-encoding": "gzip, br" })
  expect(page.status).toBe(200)
  const told = Object.fromEntries(page.headers)
  expect(told).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-encoding": "br",
    "cache-control": "no-cache",
    vary: "Accept-Encoding",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"
  })
  const body = await page.bytes()
  expect(told["content-length"]).toBe(String(body.length))
  expect(brotliDecompressSync(body).toString()).toBe(html)

  const main = await get("/assets/main-abc.js", { "accept-encoding": "gzip" })
  expect(main.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
  expect(gunzipSync(await main.bytes()).toString()).toBe(script)
  expect(main.headers.get("etag")).not.toBe(page.headers.get("etag"))
  const plain = await get("/assets/main-abc.js")
  expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, script])
  expect(plain.headers.get("etag")).not.toBe(main.headers.get("etag"))
  // Too small to become smaller.
  const dot = await get("/assets/dot-abc.svg", { "accept-encoding": "br" })
  expect([dot.headers.get("content-encoding"), await dot.text()]).toEqual([null, "<svg/>"])

  const known = { "accept-encoding": "br", "if-none-match": page.headers.get("etag") ?? "" }
  const again = await get("/", known)
  expect([again.status, await again.text(), again.headers.get("cache-control")]).toEqual([
    304,
    "",
    "no-cache"
  ])
  expect((await get("/", { ...known, "accept-encoding": "gzip" })).status).toBe(200)

  const head = await get("/", {}, "HEAD")
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
    200,
    String(html.length),
    ""
  ])
  for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
    const refused = await get("/", {}, method)
    expect([method, refused.status, refused.headers.get("allow")]).toEqual([
      method,
      405,
      "GET, HEAD, OPTIONS"
    ])
  }
  for (const path of [
    "/assets/none.js",
    "/assets/",
    "/assets/../main-abc.js",
    "/index.html",
    "/favicon.ico"
  ]) {
    const missing = await get(path)
    expect([path, missing.status, missing.headers.get("cache-control")]).toEqual([path, 404, "no-store"])
    expect(await missing.json()).toMatchObject({ code: "not_found", message: "there is no such path" })
  }
  const second = await server.edge.handleAlerts(new Request("http://localhost/"), () => "")
  expect(second.status).toBe(404)
  expect(opened).toBe(1)
  await server.stop()
})

test("without the dashboard / is not found, and a build that failed is tried again", async () => {
  const bare = await start()
  expect((await bare.fetch("/")).status).toBe(404)
  await bare.stop()
  let tries = 0
  const pages = Assets.make(() => (tries++ === 0 ? Promise.reject(new Error("broken")) : open()))
  const server = await start(NO_LIMITS, { pages })
  const failed = await server.fetch("/")
  expect([failed.status, (await failed.text()).includes("broken")]).toEqual([500, false])
  expect((await server.fetch("/")).status).toBe(200)
  await server.stop()
})

test("every file that the document names is served over a socket", async () => {
  const runtime = ManagedRuntime.make(
    Layer.merge(world(NO_LIMITS), Logger.replace(Logger.defaultLogger, Logger.none))
  )
  const scope = Effect.runSync(Scope.make())
  const { url } = await runtime.runPromise(
    Scope.extend(serve({ host: "127.0.0.1", port: 0, pages: Assets.make() }), scope)
  )
  const page = await fetch(`${url}/`)
  const text = await page.text()
  const named = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path ?? "")
  expect(named.length).toBeGreaterThanOrEqual(3)
  for (const path of named) {
    const asset = await fetch(url + path)
    expect([path, asset.status, asset.headers.get("content-disposition")]).toEqual([path, 200, null])
    expect((await asset.bytes()).length).toBeGreaterThan(100)
  }
  const head = await fetch(`${url}/`, { method: "HEAD", headers: { "accept-encoding": "identity" } })
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(text.length)])
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await runtime.dispose()
})
