// Requests outside the contract: hosts, documentation pages, and unknown paths.
import { expect, test } from "bun:test"
import { SESSION_PATH } from "../../src/api/Sessions.ts"
import { scenario } from "../lib/http.ts"
import { start } from "../lib/server.ts"

scenario(
  "health and the reference are served beside the contract, and a fault answers 500 without its text",
  [
    {
      send: "GET /healthz",
      as: "none",
      status: 200,
      is: { status: "up", prices: { source: "none", exchanges: [] } }
    },
    { send: "GET /readyz", as: "none", status: 200, is: { status: "ready" } },
    { send: "HEAD /readyz", as: "none", status: 200 },
    { send: "OPTIONS /docs", as: "none", status: 204 },
    {
      send: "GET /openapi.json",
      as: "none",
      status: 200,
      json: { openapi: "3.1.0", info: { license: { name: "MIT" } } },
      gives: { "cache-control": "no-cache", vary: "Accept-Encoding" },
      not: ["HttpApiDecodeError"]
    },
    {
      send: "GET /docs",
      as: "none",
      status: 200,
      gives: {
        "content-security-policy": /default-src 'none'; script-src 'self';/,
        "cache-control": "no-cache"
      }
    },
    { send: "DELETE /v1/strategies/666", status: 500, json: { code: "internal_error" }, not: ["planted"] }
  ]
)

test("a host header is a name or an address, with or without a port", async () => {
  const server = await start()
  for (const host of [
    "",
    "a",
    "a-b.example",
    "a_b",
    "127.0.0.1:8080",
    "[::1]",
    "[::ffff:1.2.3.4]:80",
    "a:"
  ]) {
    const request = new Request("http://localhost/healthz")
    Object.defineProperty(request, "headers", { value: { get: () => host } })
    expect([host, (await server.edge.handle(request, () => "")).status]).toEqual([host, 200])
  }
  await server.stop()
})

test("an invalid host header is refused, whatever is requested", async () => {
  const server = await start()
  for (const host of [
    "a b",
    "a/b",
    "a, b",
    "a?b",
    "é",
    "[::1",
    "[",
    "a:b",
    "a:1:2",
    "a:999999",
    "[::1]x",
    "[g]"
  ]) {
    const request = new Request("http://localhost/healthz")
    Object.defineProperty(request, "headers", { value: { get: () => host } })
    expect((await server.edge.handle(request, () => "")).status).toBe(400)
  }
  await server.stop()
})

/** Signing in takes the token from the body, which is empty here. Anybody may ask whether somebody is signed in. */
const FOR_STRANGERS: Readonly<Record<string, number>> = {
  [`post ${SESSION_PATH}`]: 400,
  [`get ${SESSION_PATH}`]: 200
}

test("every operation of the description is served, and all but signing in need a token", async () => {
  const server = await start()
  const { paths } = JSON.parse(await (await server.fetch("/openapi.json")).text())
  let count = 0
  for (const [path, methods] of Object.entries<Record<string, { readonly responses: object }>>(paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      // Any operation may be answered by full storage or by a server that is shutting down.
      expect(Object.keys(responses)).toContain("503")
      const response = await server.fetch(path.replace("{id}", "1"), { method: method.toUpperCase() })
      const status = FOR_STRANGERS[`${method} ${path}`] ?? 401
      expect([path, method, response.status]).toEqual([path, method, status])
      count++
    }
  }
  expect(count).toBe(87)
  await server.stop()
})

test("only an authenticated request may keep its connection quiet for longer, and only on operations that take time", async () => {
  const server = await start()
  const lingered = async (send: string, token?: string) => {
    const [method = "", path = ""] = send.split(" ")
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const told: Array<number> = []
    await server.edge.handle(
      new Request(`http://localhost${path}`, { method, headers, body: method === "GET" ? null : "{}" }),
      () => "203.0.113.9",
      () => false,
      (seconds) => told.push(seconds)
    )
    return told
  }
  for (const send of ["POST /v1/dashboard/backup", "POST /v1/dashboard/backtests"]) {
    const asked = [await lingered(send), await lingered(send, server.hook), await lingered(send, "wrong")]
    expect([send, asked]).toEqual([send, [[], [], []]])
  }
  expect(await lingered("POST /v1/signals/alert?x=/v1/dashboard/backup", server.ann)).toEqual([])
  expect(await lingered("POST /v1/dashboard/backup", server.bob)).toEqual([])
  expect(await lingered("POST /v1/dashboard/backup", server.ann)).toEqual([255])
  expect(await lingered("POST /v1/dashboard/backtests", server.bob)).toEqual([70])
  expect(await lingered("POST /v1/dashboard/strategies/1/what-if", server.hook)).toEqual([])
  expect(await lingered("POST /v1/dashboard/strategies/1/what-if", server.bob)).toEqual([70])
  await server.stop()
})
