// The order of checks before a handler: authentication, scope, rate limits.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Row, scenario } from "../lib/http.ts"
import { start, type TestServer } from "../lib/server.ts"

const big = "x".repeat(65_537)
const json = { "content-type": "application/json" }

// Each row has all errors whose checks come later than the reported one.
scenario("the checks of a request come in a fixed sequence", [
  { send: "GET /v1/nothing", as: "none", status: 404, json: { code: "not_found" } },
  { send: "GET /v2/signals", as: "none", status: 404 },
  { send: "GET /v1/signals/", as: "none", status: 404 },
  { send: "GET /V1/signals", as: "none", status: 404 },
  { send: "GET //v1/signals", as: "none", status: 404 },
  { send: "PATCH /v1/signals", as: "none", status: 405, gives: { allow: "GET, POST, HEAD, OPTIONS" } },
  {
    send: "POST /v1/signals/1",
    as: "none",
    status: 405,
    gives: { allow: "GET, PUT, DELETE, HEAD, OPTIONS" }
  },
  { send: "GET /v1/signals/alert", as: "none", status: 405, gives: { allow: "POST, OPTIONS" } },
  { send: "DELETE /v1/signals/charting", as: "none", status: 405, gives: { allow: "POST, OPTIONS" } },
  { send: "POST /healthz", as: "none", status: 405, gives: { allow: "GET, HEAD, OPTIONS" } },
  { send: "POST /v1/strategies", as: "none", body: big, status: 401 },
  { send: "POST /v1/strategies", as: "hook", body: big, status: 403, json: { code: "forbidden" } },
  { send: "POST /v1/strategies", headers: { "content-type": "text/plain" }, body: big, status: 413 },
  { send: "POST /v1/strategies", headers: { "content-type": "text/plain" }, body: "{", status: 415 },
  { send: "PUT /v1/strategies/99", headers: json, body: "{", status: 400 },
  { send: "PUT /v1/strategies/99", body: { name: "" }, status: 404 },
  { send: "PUT /v1/signals/99", body: big, status: 413 },
  { send: "PUT /v1/signals/99", headers: json, body: "{", status: 400 },
  { send: "PUT /v1/signals/99", body: { name: "" }, status: 404 },
  { send: "POST /v1/signals/alert", as: "none", body: big, status: 401 },
  { send: "POST /v1/signals/alert", body: big, status: 413, json: { code: "body_too_large" } },
  { send: "POST /v1/signals/alert", body: new Uint8Array([0xff]), status: 400 },
  { send: "POST /v1/signals/alert", body: { signal_id: 99, type: "x" }, status: 404 },
  { send: "POST /v1/signals/alert", body: { type: "x" }, status: 422 },
  { send: "POST /v1/signals/charting", body: big, status: 401 },
  { send: "POST /v1/signals/charting?key={key}", as: "none", body: big, status: 413 },
  { send: "POST /v1/signals/charting?key={key}", as: "none", body: "[", status: 400 }
])

const reads: ReadonlyArray<Row> = [
  "/v1/signals",
  "/v1/signals/1",
  "/v1/strategies",
  "/v1/strategies/1",
  "/v1/strategies/1/timeline",
  "/v1/alerts",
  "/v1/alerts/1"
].flatMap((path) => [
  { send: `GET ${path}`, as: "none", status: 401, json: { code: "unauthorized" } },
  { send: `GET ${path}`, as: "none", headers: { authorization: "Basic YTpi" }, status: 401 },
  { send: `GET ${path}`, as: "none", headers: { authorization: "Bearer" }, status: 401 },
  { send: `GET ${path}`, as: "none", headers: { authorization: "Bearer a, Bearer b" }, status: 401 },
  { send: `GET ${path}?key={key}`, as: "none", status: 401 },
  { send: `GET ${path}`, as: "hook", status: 403 },
  { send: `OPTIONS ${path}`, as: "none", status: 204, text: "", gives: { allow: /GET/ } }
])
scenario("only a valid token in its place passes", [
  ...reads,
  { send: "POST /v1/signals/charting", status: 401 },
  { send: "POST /v1/signals/charting?key=", status: 401 },
  { send: "POST /v1/signals/charting?key={key}&key={key}", status: 401 },
  { send: "POST /v1/signals/charting?key={key}x", status: 401 },
  { send: "POST /v1/signals/alert?key={key}", as: "none", status: 401 },
  {
    send: "POST /v1/signals/alert",
    as: "hook",
    body: { signal_id: 1, type: "buy", coin: "BTC", quote_currency: "USDT" },
    status: 404
  },
  {
    send: "GET /v1/signals",
    headers: { "x-request-id": "mine" },
    status: 200,
    gives: { "x-request-id": /^(?!mine)/ }
  },
  { send: "HEAD /v1/signals", status: 200, text: "" }
])

let server: TestServer
beforeAll(async () => {
  server = await start({ crud: 2, alert: 3 })
})
afterAll(() => server.stop())

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const post = (token: string) => ({ method: "POST", body: "{}", ...bearer(token) })

test("a caller may send two requests at once, then gets 429, and other callers are unaffected", async () => {
  const statuses: Array<number> = []
  for (let index = 0; index < 3; index++) {
    const response = await server.fetch("/v1/signals", bearer(server.ann))
    statuses.push(response.status)
    expect(response.headers.get("ratelimit-policy")).toBe(`"signals";q=2;w=1`)
    expect(response.headers.get("ratelimit")).toBe(`"signals";r=${Math.max(0, 1 - index)};t=1`)
    expect(response.headers.get("retry-after")).toBe(index < 2 ? null : "1")
  }
  expect(statuses).toEqual([200, 200, 429])
  expect((await server.fetch("/v1/signals/1", bearer(server.ann))).status).toBe(429)
  expect((await server.fetch("/v1/strategies", bearer(server.ann))).status).toBe(200)
  expect((await server.fetch("/v1/alerts", bearer(server.ann))).status).toBe(200)
  expect((await server.fetch("/v1/signals", bearer(server.bob))).status).toBe(200)
})

test("each alert operation has one bucket for all tokens of an account", async () => {
  const statuses = async (send: () => Promise<Response>) => {
    const all: Array<number> = []
    for (let index = 0; index < 4; index++) all.push((await send()).status)
    return all
  }
  const path = `/v1/signals/charting?key=${server.hook}`
  expect(await statuses(() => server.fetch(path, { method: "POST" }))).toEqual([422, 422, 422, 429])
  expect(await statuses(() => server.fetch("/v1/signals/alert", post(server.ann)))).toEqual([
    422, 422, 422, 429
  ])
  const limited = await server.fetch("/v1/signals/alert", post(server.hook))
  expect(limited.status).toBe(429)
  expect(limited.headers.get("retry-after")).toBe("1")
  expect(limited.headers.get("ratelimit")).toBe(`"alert";r=0;t=1`)
  expect(await limited.json()).toMatchObject({ code: "rate_limited", errors: {} })
})

test("failed authentications are limited by network, and a valid token passes all the same", async () => {
  const wrong = (peer: string) => server.fetch("/v1/alerts", bearer("sbx_api_wrong"), peer)
  for (let index = 0; index < 10; index++) expect((await wrong("2001:db8:1:2::1")).status).toBe(401)
  const limited = await wrong("2001:db8:1:2:ffff::9")
  expect(limited.status).toBe(429)
  const wait = Number(limited.headers.get("retry-after"))
  expect(wait).toBeGreaterThan(1)
  expect(limited.headers.get("ratelimit-policy")).toBe(`"authentication";q=10;w=60`)
  expect(limited.headers.get("ratelimit")).toBe(`"authentication";r=0;t=${wait}`)
  const hook = await server.fetch(
    "/v1/signals/charting?key=sbx_api_wrong",
    { method: "POST" },
    "2001:db8:1:2::1"
  )
  expect(hook.headers.get("ratelimit-policy")).toBe(`"authentication";q=10;w=60`)
  expect((await wrong("2001:db8:1:3::1")).status).toBe(401)
  expect((await server.fetch("/v1/alerts", bearer(server.bob), "2001:db8:1:2::1")).status).toBe(200)
})

test("requests without a token do not count as failed authentications", async () => {
  for (let index = 0; index < 20; index++) expect((await server.fetch("/v1/alerts")).status).toBe(401)
})
