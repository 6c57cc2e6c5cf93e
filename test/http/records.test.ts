// The dashboard's records equal the public operations'.
import { expect, test } from "bun:test"
import { scenario } from "../lib/http.ts"
import { start } from "../lib/server.ts"

const signal = { name: "a", description: "", active: true, public: false }
const notFound = { status: 404, json: { code: "not_found" } } as const

scenario("the dashboard's records need a token of full scope, and show public ones of others", [
  { send: "GET /v1/dashboard/signals", as: "none", status: 401 },
  { send: "GET /v1/dashboard/tokens", as: "hook", status: 403 },
  { send: "GET /v1/dashboard/notifications", as: "none", status: 401 },
  { send: "POST /v1/dashboard/signals", body: signal, status: 405, gives: { allow: "GET, HEAD, OPTIONS" } },
  { send: "GET /v1/dashboard/signals", status: 200, is: { data: [] } },
  { send: "POST /v1/signals", body: signal, status: 201 },
  { send: "POST /v1/signals", as: "bob", body: { ...signal, public: true }, status: 201 },
  { send: "POST /v1/signals", as: "bob", body: signal, status: 201 },
  { send: "GET /v1/dashboard/signals?limit=0", status: 422, json: { code: "invalid_request" } },
  // Another account's public record can be read, a private one is not found.
  { send: "GET /v1/dashboard/signals/2", status: 200, json: { id: 2, public: true } },
  { send: "GET /v1/dashboard/signals/2/template", ...notFound },
  { send: "GET /v1/dashboard/signals/3", ...notFound },
  { send: "GET /v1/dashboard/signals/x", ...notFound }
])

test("the dashboard's records equal the public operations' answers for one's own account", async () => {
  const server = await start()
  const ask = async (path: string, token: string, init: RequestInit = {}) => {
    const answer = await server.fetch(path, { ...init, headers: { authorization: `Bearer ${token}` } })
    return { status: answer.status, link: answer.headers.get("link"), text: await answer.text() }
  }
  const make = (path: string, body: object) =>
    ask(path, server.ann, { method: "POST", body: JSON.stringify(body) })
  await make("/v1/signals", signal)
  await make("/v1/signals", { ...signal, name: "b" })
  await make("/v1/notifications", { kind: "webhook", url: "https://200.example/secret" })
  for (const path of [
    "signals",
    "signals?limit=1",
    "signals/1",
    "signals/1/template",
    "tokens",
    "notifications"
  ]) {
    const [open, own] = [await ask(`/v1/${path}`, server.ann), await ask(`/v1/dashboard/${path}`, server.ann)]
    expect([path, own.status, own.text]).toEqual([path, 200, open.text])
    expect(own.link).toBe(open.link?.replace("/v1/", "/v1/dashboard/") ?? null)
    expect(own.text).not.toContain("secret")
    const others = await ask(`/v1/dashboard/${path}`, server.bob)
    expect([path, others.text]).not.toEqual([path, open.text])
  }
  await server.stop()
})
