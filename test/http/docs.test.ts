// The reference and the description as strangers fetch them: small, compressed, kept by caches, and from nowhere else.
// Every example of every operation runs.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { STATUSES } from "../../src/api/shared/Codes.ts"
import { BODIES } from "../../src/http/docs/Bodies.ts"
import { groupsOf, type Operation } from "../../src/http/docs/Operations.ts"
import { samplesOf } from "../../src/http/docs/Samples.ts"
import { docsBeside } from "../../src/http/ReferencePage.ts"
import { start, type TestServer } from "../lib/server.ts"

let server: TestServer
let operations: ReadonlyArray<Operation>
const folder = mkdtempSync(join(tmpdir(), "signalbox-docs-"))
beforeAll(async () => {
  server = await start()
  operations = groupsOf(await (await get("/openapi.json")).json()).flatMap((group) => group.operations)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await server.stop()
})

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  server.fetch(path, { method, headers })

/** The files that the page names, as addresses of the server. */
const filesOf = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<(?:script|link)[^>]*\b(?:src|href)="(?!data:)([^"]*)"/g)].map(
    ([, path = ""]) => `/${path}`
  )

test("the reference names only files of this server, and may run its own script alone", async () => {
  const response = await get("/docs")
  const html = await response.text()
  expect(html).not.toMatch(/<(?:script|link|img|iframe)[^>]*=["']?(?:https?:)?\/\//)
  expect(html).not.toMatch(/<script>|<style|\son\w+=|\sstyle=/)
  const policy = response.headers.get("content-security-policy") ?? ""
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/https?:|unsafe/)
  expect(filesOf(html).length).toBe(2)
  for (const path of filesOf(html)) {
    const file = await get(path)
    expect([path, file.status, file.headers.get("cache-control")]).toEqual([
      path,
      200,
      "public, max-age=31536000, immutable"
    ])
    expect((await file.text()).length).toBeGreaterThan(50)
  }
})

test("all of it is at most 300 KB on the wire", async () => {
  const html = await (await get("/docs")).text()
  const zipped = { "accept-encoding": "gzip" }
  const sizes = await Promise.all(
    ["/docs", ...filesOf(html)].map(
      async (path) => (await (await get(path, zipped)).arrayBuffer()).byteLength
    )
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000)
})

test("each operation, code and schema has its place, and every link within the page leads somewhere", async () => {
  const html = await (await get("/docs")).text()
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { id } of operations) expect(ids).toContain(id)
  for (const code of Object.keys(STATUSES)) expect(ids).toContain(`error.${code}`)
  for (const [, target = ""] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
  expect(html).not.toContain("/guide")
  const beside = await docsBeside({ guide: "/guide" }).load(await (await get("/openapi.json")).json())
  const page = await (await beside.get("/docs")?.read("identity"))?.text()
  expect(page).toContain('href="/guide/errors#rate_limited"')
})

test("the name of a file contains its hash, and other names are not found", async () => {
  for (const path of ["/docs/", "/docs/reference.js", "/docs/reference-0000000000000000.js"])
    expect([path, (await get(path)).status]).toEqual([path, 404])
  const metrics = await (await get("/metrics", { authorization: `Bearer ${server.ann}` })).text()
  expect(metrics).toContain('route="/docs"')
  expect(metrics).not.toContain("/docs/reference")
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

describe("the examples", () => {
  test("have a body wherever an operation takes one, and nowhere else", () => {
    const taking = operations.filter(({ bodies }) => bodies.length > 0).map(({ id }) => id)
    expect(taking.sort()).toEqual(Object.keys(BODIES).sort())
  })

  test("send what the server understands", async () => {
    const fresh = await start()
    // What deletes comes last: the others need what it deletes.
    const last = ({ method }: Operation) => (method === "DELETE" ? 1 : 0)
    for (const { access, bodies, id, method, path } of operations.toSorted((a, b) => last(a) - last(b))) {
      // A stream does not end, and a halt or a sign-in would change what the others meet.
      if (id === "events.stream" || id.startsWith("sessions.") || id.startsWith("live.halt")) continue
      const address = path.replace(/\{[^}]+\}/g, "1") + (access === "key" ? `?key=${fresh.hook}` : "")
      const { status } = await fresh.fetch(address, {
        method,
        headers: {
          ...(access === "bearer" ? { authorization: `Bearer ${fresh.ann}` } : {}),
          ...(bodies.length > 0 ? { "content-type": "application/json" } : {})
        },
        ...(bodies.length > 0 ? { body: JSON.stringify(BODIES[id]) } : {})
      })
      // What the example names may not exist here; what it says must be understood.
      expect([id, [400, 405, 415, 500].includes(status)]).toEqual([id, false])
      if (method === "POST" && !/^(?:live|positions)\.|^notifications\.(?:test|pair)$/.test(id))
        expect([id, status]).toEqual([id, [200, 201, 202, 409].includes(status) ? status : 200])
    }
    await fresh.stop()
  })

  test("run as they stand in curl, TypeScript and Python", async () => {
    const fresh = await start()
    const listening = Bun.serve({
      port: 0,
      fetch: (request) => fresh.edge.handle(request, () => "127.0.0.1")
    })
    const env = { ...process.env, SIGNALBOX: `http://127.0.0.1:${listening.port}`, TOKEN: fresh.ann }
    const run = async (name: string, content: string, command: ReadonlyArray<string>) => {
      const file = join(folder, name)
      writeFileSync(file, content)
      const child = Bun.spawn([...command, file], { env, stdout: "pipe", stderr: "pipe" })
      const [out, error] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text()
      ])
      return { code: await child.exited, out, error }
    }
    try {
      for (const id of ["signals.create", "signals.charting", "strategies.create", "strategies.list"]) {
        const operation = operations.find((one) => one.id === id)
        const [curl, typescript, python] = operation === undefined ? [] : samplesOf(operation)
        const inShell = await run("a.sh", curl?.code ?? "", ["bash"])
        expect([id, inShell.code, inShell.out.slice(0, 1)]).toEqual([id, 0, "{"])
        expect(inShell.out).not.toContain("urn:signalbox:problem")
        const inBun = await run("a.ts", typescript?.code ?? "", [process.execPath])
        expect([id, inBun.code, /^20[01] \{/.test(inBun.out)]).toEqual([id, 0, true])
        if (Bun.which("python3") !== null) {
          const inPython = await run("a.py", python?.code ?? "", ["python3"])
          expect([id, inPython.error, /^20[01] \{/.test(inPython.out)]).toEqual([id, "", true])
        }
      }
    } finally {
      await listening.stop(true)
      await fresh.stop()
    }
  }, 60_000)
})
