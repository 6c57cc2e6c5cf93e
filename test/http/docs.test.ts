// The reference and the description as strangers fetch them: compressed, kept by caches, and from nowhere else.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { gunzipSync } from "node:zlib"
import { start, type TestServer } from "../lib/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  server.fetch(path, { method, headers })

/** The files that the page names, as addresses of the server. */
const filesOf = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, path = ""]) => `/${path}`)

test("the reference runs no script of its own, and names only files of this server", async () => {
  const response = await get("/docs")
  const html = await response.text()
  expect(html.length).toBeLessThan(2_000)
  expect(html).not.toMatch(/(?:src|href)=["']?(?:https?:)?\/\//)
  expect(html).not.toMatch(/<script>|<style|\son\w+=/)
  const policy = response.headers.get("content-security-policy") ?? ""
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/https?:|script-src[^;]*unsafe/)
  expect(filesOf(html).length).toBe(3)
  for (const path of filesOf(html)) {
    const file = await get(path)
    expect([path, file.status, file.headers.get("cache-control")]).toEqual([
      path,
      200,
      "public, max-age=31536000, immutable"
    ])
    expect((await file.text()).length).toBeGreaterThan(50)
  }
  const starts = await (await get(filesOf(html)[2] ?? "")).text()
  // The library asks an outside host to look at the description, unless it is told not to.
  expect(starts).toContain("validatorUrl: null")
})

test("the name of a file contains its hash, and other names are not found", async () => {
  for (const path of ["/docs/", "/docs/swagger.js", "/docs/swagger-0000000000000000.js"])
    expect([path, (await get(path)).status]).toEqual([path, 404])
  const metrics = await (await get("/metrics", { authorization: `Bearer ${server.ann}` })).text()
  expect(metrics).toContain('route="/docs"')
  expect(metrics).not.toContain("/docs/swagger")
})

test("each file is compressed for clients that accept it, and not sent to clients that have it", async () => {
  const script = filesOf(await (await get("/docs")).text())[1] ?? ""
  for (const path of ["/docs", "/openapi.json", script]) {
    const plain = await get(path)
    const text = await plain.text()
    const zipped = await get(path, { "accept-encoding": "gzip, br" })
    const body = new Uint8Array(await zipped.arrayBuffer())
    expect([path, zipped.headers.get("content-encoding")]).toEqual([path, "gzip"])
    expect(gunzipSync(body).toString()).toBe(text)
    expect(body.length).toBeLessThan(text.length)
    expect(zipped.headers.get("vary")).toBe("Accept-Encoding")
    expect(zipped.headers.get("etag")).not.toBe(plain.headers.get("etag"))
    const known = { "accept-encoding": "gzip", "if-none-match": zipped.headers.get("etag") ?? "" }
    const again = await get(path, known)
    expect([path, again.status, await again.text()]).toEqual([path, 304, ""])
    expect((await get(path, { "if-none-match": known["if-none-match"] })).status).toBe(200)
    const head = await get(path, {}, "HEAD")
    expect([path, head.headers.get("content-length")]).toEqual([path, String(Buffer.byteLength(text))])
  }
})
