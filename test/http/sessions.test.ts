// Sessions: sign-in, cookies, cross-site requests, and expiry.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Effect, Exit, Layer, Logger, LogLevel, ManagedRuntime, Scope } from "effect"
import { SESSION_PATH } from "../../src/api/Sessions.ts"
import * as Edge from "../../src/http/edge/Edge.ts"
import { NO_LIMITS, start, type TestServer, tokens, world } from "../lib/server.ts"

const HERE = "http://localhost"
let server: TestServer
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.stop())

let peers = 0
/** Calls from a new network unless one is named, because failed authentications are limited by network. */
const call = async (
  send: string,
  headers: Record<string, string> = {},
  body?: object,
  from: { readonly peer?: string; readonly base?: string; readonly isForwarded?: boolean } = {}
) => {
  const [method = "GET", path = "/"] = send.split(" ")
  const init: RequestInit = { method, headers: new Headers(headers) }
  if (body !== undefined) init.body = JSON.stringify(body)
  const peer = from.peer ?? `198.51.${++peers >> 8}.${peers & 255}`
  const request = new Request((from.base ?? HERE) + path, init)
  const response = await server.edge.handle(
    request,
    () => peer,
    () => from.isForwarded === true
  )
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: text && JSON.parse(text) }
}

const signIn = async (token: string, from: { readonly base?: string } = {}) => {
  const answer = await call(`POST ${SESSION_PATH}`, { origin: from.base ?? HERE }, { token }, from)
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  const setCookie = answer.headers.get("set-cookie") ?? ""
  const cookie = setCookie.split(";")[0] ?? ""
  return { ...answer, setCookie, cookie }
}

const signalBody = { name: "a", description: "", active: true, public: false }

test("signing in answers with the account, and sets a cookie that contains no part of the token", async () => {
  const { cookie, headers, json, setCookie, text } = await signIn(` ${server.ann}\n`)
  expect(setCookie).toMatch(
    /^signalbox_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/
  )
  const expected = { account: "ann", token_id: 1, operator: true, version: "unknown", prices: "none" }
  const times = { expires_at: expect.any(Number), now: expect.any(Number) }
  expect(json).toEqual({ ...expected, ...times, position: expect.stringMatching(/^\d+-\d+$/) })
  expect(Math.abs(json.now - Date.now() / 1000)).toBeLessThan(5)
  expect(json.expires_at).toBeGreaterThan(Date.now() / 1000 + 29 * 86_400)
  expect(headers.get("cache-control")).toBe("no-store")
  for (const secret of [server.ann, cookie.split("=")[1] ?? "?"]) expect(text).not.toContain(secret)
  expect((await call(`GET ${SESSION_PATH}`, { cookie })).json).toEqual({ ...json, now: expect.any(Number) })
  expect((await signIn(server.bob)).json).toMatchObject({ account: "bob", operator: false })
  const byToken = await call(`GET ${SESSION_PATH}`, { authorization: `Bearer ${server.bob}` })
  expect(byToken.json).toMatchObject({ account: "bob", token_id: 3, expires_at: null })
})

test("strangers learn only that nobody is signed in, and a dead cookie is removed", async () => {
  const nobody = async (headers: Record<string, string>, send = "GET") => {
    const { headers: given, json, status } = await call(`${send} ${SESSION_PATH}`, headers)
    expect([headers, status, json || null]).toEqual([
      headers,
      200,
      send === "HEAD" ? null : { account: null }
    ])
    return given.get("set-cookie")
  }
  const cleared = "signalbox_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
  const dead = `signalbox_session=${"A".repeat(43)}`
  expect(await nobody({})).toBeNull()
  expect(await nobody({}, "HEAD")).toBeNull()
  expect(await nobody({ cookie: "theme=dark" })).toBeNull()
  // One of two cookies may have been planted by somebody else.
  expect(await nobody({ cookie: `${dead}; ${dead}` })).toBeNull()
  expect(await nobody({ cookie: dead })).toBe(cleared)
  expect(await nobody({ cookie: `theme=dark; ${dead}`, origin: "http://evil.example" })).toBe(cleared)
  for (const [authorization, status] of [
    ["Bearer sbx_api_wrong", 401],
    ["", 401],
    [`Bearer ${server.hook}`, 403]
  ] as const) {
    const { cookie } = await signIn(server.ann)
    for (const more of [{}, { cookie: dead }, { cookie }]) {
      const answer = await call(`GET ${SESSION_PATH}`, { authorization, ...more })
      expect([authorization, more, answer.status]).toEqual([authorization, more, status])
      expect(answer.headers.get("set-cookie")).toBeNull()
    }
  }
  // A proxy's own password is no token of ours.
  expect(await nobody({ authorization: "Basic dTpw" })).toBeNull()
  expect(await nobody({ authorization: "Basic dTpw", cookie: dead })).toBe(cleared)
  const over = { cookie: `__Host-${dead}` }
  const secure = await call(`GET ${SESSION_PATH}`, over, undefined, { base: "https://localhost" })
  expect(secure.json).toEqual({ account: null })
  expect(secure.headers.get("set-cookie")).toBe(`__Host-${cleared}; Secure`)
})

test("reading the session counts wrong tokens as everywhere, and does not count a missing one", async () => {
  const peer = "192.0.2.78"
  const ask = (headers: Record<string, string>) => call(`GET ${SESSION_PATH}`, headers, undefined, { peer })
  for (let index = 0; index < 15; index++) expect((await ask({})).status).toBe(200)
  for (let index = 0; index < 10; index++)
    expect((await ask({ authorization: "Bearer sbx_api_wrong" })).status).toBe(401)
  expect((await ask({ authorization: "Bearer sbx_api_wrong" })).status).toBe(429)
  expect((await ask({})).json).toEqual({ account: null })
})

test("a stream from the answer's position misses no event, however late it is opened", async () => {
  const { cookie, json } = await signIn(server.ann)
  const own = { cookie, origin: HERE }
  const { id } = (await call("POST /v1/signals", own, signalBody)).json
  const alert = { signal_id: id, coin: "BTC", quote_currency: "USDT", type: "buy" }
  expect((await call("POST /v1/signals/alert", own, alert)).status).toBe(200)
  const at = `${HERE}/v1/events?last_event_id=${json.position}`
  const stream = await server.edge.handle(new Request(at, { headers: { cookie } }), () => "198.18.1.2")
  const reader = stream.body?.getReader()
  let heard = ""
  while (!heard.includes("event: ")) heard += new TextDecoder().decode((await reader?.read())?.value)
  expect(heard).toContain("event: alert_received")
  expect(heard).toContain(`"signal_id":${id}`)
  await reader?.cancel()
  // A later request gets a position after this event.
  const later = (await call(`GET ${SESSION_PATH}`, { cookie })).json.position
  expect(later).not.toBe(json.position)
})

test.each([
  ["http", HERE, {}, false, false],
  ["TLS of our own", "https://localhost", {}, false, true],
  ["a proxy that is believed", HERE, { "x-forwarded-proto": "https" }, true, true],
  ["a stranger who says so", HERE, { "x-forwarded-proto": "https" }, false, false]
])("over %s the cookie is Secure whenever it can be", async (_, base, more, isForwarded, isSecure) => {
  const token = { token: server.ann }
  const { headers, status } = await call(`POST ${SESSION_PATH}`, more, token, { base, isForwarded })
  expect(status).toBe(200)
  expect(headers.get("set-cookie")?.endsWith("; Secure")).toBe(isSecure)
})

test("a failed sign-in gives its reason and sets no cookie", async () => {
  const cases: ReadonlyArray<readonly [unknown, number, string]> = [
    [{ token: server.hook }, 403, "forbidden"],
    [{ token: `${server.ann}x` }, 401, "unauthorized"],
    [{ token: "sbx_api_0" }, 401, "unauthorized"],
    [{ token: "" }, 422, "invalid_request"],
    [{ token: 1 }, 422, "invalid_request"],
    [{}, 422, "invalid_request"],
    [[], 400, "malformed_body"]
  ]
  for (const [body, status, code] of cases) {
    const answer = await call(`POST ${SESSION_PATH}`, { origin: HERE }, Object(body))
    expect([body, answer.status, answer.json.code]).toEqual([body, status, code])
    expect(answer.headers.get("set-cookie")).toBeNull()
    expect(answer.text).not.toContain(server.hook)
  }
  const form = await call(
    `POST ${SESSION_PATH}`,
    { "content-type": "application/x-www-form-urlencoded" },
    { token: server.ann }
  )
  expect(form.status).toBe(415)
})

test("signing in counts wrong tokens as everywhere, and does not count ended sessions", async () => {
  const peer = "192.0.2.77"
  const wrong = () => call(`POST ${SESSION_PATH}`, {}, { token: "sbx_api_wrong" }, { peer })
  const cookie = `signalbox_session=${"A".repeat(43)}`
  for (let index = 0; index < 15; index++) {
    const ended = await call("GET /v1/signals", { cookie }, undefined, { peer })
    expect([ended.status, ended.json.message]).toEqual([
      401,
      "this session has ended: sign in again with a token"
    ])
  }
  for (let index = 0; index < 10; index++) expect((await wrong()).status).toBe(401)
  const limited = await wrong()
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "6"])
  expect((await call(`POST ${SESSION_PATH}`, {}, { token: server.ann }, { peer })).status).toBe(200)
})

test("over TLS no other site of the same domain can set the session's cookie", async () => {
  const base = "https://box.example.com"
  const { cookie, setCookie } = await signIn(server.ann, { base })
  expect(setCookie).toMatch(
    /^__Host-signalbox_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/
  )
  const show = async (cookie: string, from = base) =>
    (await call("GET /v1/signals", { cookie }, undefined, { base: from })).status
  const planted = (await signIn(server.bob)).cookie
  expect([await show(cookie), await show(planted), await show(cookie, HERE)]).toEqual([200, 401, 401])
  expect(await show(`${planted}; ${cookie}`)).toBe(200)
  const out = await call(`DELETE ${SESSION_PATH}`, { cookie, origin: base }, undefined, { base })
  expect(out.headers.get("set-cookie")).toStartWith("__Host-signalbox_session=; Path=/; Max-Age=0;")
})

describe("a session's cookie", () => {
  test("opens what a token opens: records, alerts and events", async () => {
    const { cookie } = await signIn(server.ann)
    const own = { cookie, origin: HERE, "sec-fetch-site": "same-origin" }
    const made = await call("POST /v1/signals", own, signalBody)
    expect(made.status).toBe(201)
    const { id } = made.json
    for (const read of [
      "/v1/signals",
      `/v1/signals/${id}`,
      "/v1/strategies",
      "/v1/alerts",
      "/v1/notifications"
    ]) {
      expect([read, (await call(`GET ${read}`, { cookie })).status]).toEqual([read, 200])
      expect([read, (await call(`HEAD ${read}`, { cookie })).status]).toEqual([read, 200])
    }
    const alert = { signal_id: id, coin: "BTC", quote_currency: "USDT", type: "buy" }
    expect((await call("POST /v1/signals/alert", own, alert)).status).toBe(200)
    expect((await call("POST /v1/alerts/parse", own, alert)).status).toBe(200)
    expect((await call(`PUT /v1/signals/${id}`, own, { ...signalBody, name: "b" })).status).toBe(200)
    expect((await call(`DELETE /v1/signals/${id}`, own)).status).toBe(200)
    const bob = await signIn(server.bob)
    expect((await call("GET /v1/signals", { cookie: bob.cookie })).json.data).toEqual([])
  })

  test("changes records only from the server's own pages", async () => {
    const { cookie } = await signIn(server.ann)
    const cases: ReadonlyArray<readonly [Record<string, string>, number, object?]> = [
      [{ origin: HERE }, 201],
      [{ origin: HERE, "sec-fetch-site": "same-origin" }, 201],
      [{ origin: HERE, "sec-fetch-site": "same-site" }, 403],
      [{ origin: HERE, "sec-fetch-site": "cross-site" }, 403],
      [{ origin: HERE, "sec-fetch-site": "none" }, 403],
      [{}, 403],
      [{ "sec-fetch-site": "same-origin" }, 403],
      [{ origin: "null" }, 403],
      [{ origin: "" }, 403],
      [{ origin: "https://localhost" }, 403],
      [{ origin: "http://localhost:81" }, 403],
      [{ origin: "http://localhost.evil.example" }, 403],
      [{ origin: "http://evil.example" }, 403],
      [{ origin: `${HERE}, http://evil.example` }, 403],
      [{ referer: `${HERE}/` }, 403],
      // The forwarded host counts only from a trusted proxy.
      [
        { origin: "https://box.example", "x-forwarded-proto": "https", "x-forwarded-host": "box.example" },
        403
      ],
      [
        { origin: "https://box.example", "x-forwarded-proto": "https", "x-forwarded-host": "box.example" },
        201,
        { isForwarded: true }
      ],
      [
        {
          origin: "https://box.example",
          "x-forwarded-proto": "https",
          "x-forwarded-host": "Box.example:443"
        },
        201,
        { isForwarded: true }
      ],
      [{ origin: HERE, "x-forwarded-host": "box.example" }, 403, { isForwarded: true }],
      [{ origin: "https://localhost" }, 201, { base: "https://localhost" }],
      [{ origin: "http://[::1]:8080" }, 201, { base: "http://[::1]:8080" }]
    ]
    for (const [headers, status, from] of cases) {
      const both = `${cookie}; __Host-${cookie}`
      const answer = await call("POST /v1/signals", { cookie: both, ...headers }, signalBody, from)
      expect([headers, from, answer.status]).toEqual([headers, from, status])
      if (status === 403) expect(answer.json).toMatchObject({ code: "cross_site" })
    }
    for (const send of [
      "PUT /v1/signals/1",
      "DELETE /v1/signals/1",
      "PATCH /v1/signals/1",
      `DELETE ${SESSION_PATH}`,
      "POST /v1/signals/alert",
      "POST /v1/alerts/parse"
    ]) {
      const { status } = await call(send, { cookie, origin: "http://evil.example" }, { signal_id: 1 })
      expect([send, status]).toEqual([send, send.startsWith("PATCH") ? 405 : 403])
    }
    const answer = await call("GET /v1/signals", { cookie, origin: "http://evil.example" })
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, null])
    // The browser sends the cookie to other ports of this host too, whose pages could hold streams open.
    for (const site of ["cross-site", "same-site"])
      for (const path of ["/v1/signals", "/v1/events"]) {
        const { json, status } = await call(`GET ${path}`, { cookie, "sec-fetch-site": site })
        expect([path, site, status, json.code]).toEqual([path, site, 403, "cross_site"])
      }
    expect((await call("GET /v1/signals", { cookie, "sec-fetch-site": "none" })).status).toBe(200)
  })

  test("is read only if there is no header, and only if it is the only one of its name", async () => {
    const { cookie } = await signIn(server.ann)
    const other = `signalbox_session=${"B".repeat(43)}`
    const cases: ReadonlyArray<readonly [Record<string, string>, number]> = [
      [{ cookie: `theme=dark; ${cookie}; x=y` }, 200],
      [{ cookie: `${cookie}; ${other}` }, 401],
      [{ cookie: `x${cookie}` }, 401],
      [{ cookie: cookie.slice(0, -1) }, 401],
      [{ cookie: "signalbox_session=" }, 401],
      [{ cookie: `signalbox_session=${server.ann}` }, 401],
      [{ cookie, authorization: "Bearer sbx_api_wrong" }, 401],
      [{ cookie, authorization: "" }, 401],
      // A proxy's own password is no token of ours.
      [{ cookie, authorization: "Basic dTpw" }, 200],
      [{ authorization: "Basic dTpw" }, 401],
      [{ cookie, authorization: `Bearer ${server.hook}` }, 403],
      [{ cookie: other, authorization: `Bearer ${server.ann}` }, 200]
    ]
    for (const [headers, status] of cases)
      expect([headers, (await call("GET /v1/signals", headers)).status]).toEqual([headers, status])
  })

  test("opens neither the webhook nor the port for alerts alone", async () => {
    const { cookie } = await signIn(server.ann)
    const own = { cookie, origin: HERE }
    const alert = { signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "buy" }
    expect((await call("POST /v1/signals/charting", own, alert)).status).toBe(401)
    for (const path of ["/v1/signals/alert", "/v1/signals/charting", SESSION_PATH]) {
      const request = new Request(HERE + path, { method: "POST", headers: own, body: JSON.stringify(alert) })
      const { status } = await server.edge.handleAlerts(request, () => `198.18.0.${++peers}`)
      expect([path, status]).toEqual([path, path === SESSION_PATH ? 404 : 401])
    }
  })
})

test("another site cannot sign anybody in", async () => {
  for (const headers of [
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: HERE, "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" }
  ]) {
    const answer = await call(`POST ${SESSION_PATH}`, headers, { token: server.ann })
    expect([headers, answer.status, answer.headers.get("set-cookie")]).toEqual([headers, 403, null])
  }
  expect((await call(`POST ${SESSION_PATH}`, {}, { token: server.ann })).status).toBe(200)
})

test("signing out ends the session at once and removes the cookie, and signing in again ends the previous session", async () => {
  const { cookie } = await signIn(server.ann)
  const out = await call(`DELETE ${SESSION_PATH}`, { cookie, origin: HERE })
  expect([out.status, out.json.type]).toEqual([200, "success"])
  expect(out.headers.get("set-cookie")).toBe(
    "signalbox_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
  )
  expect((await call(`GET ${SESSION_PATH}`, { cookie })).json).toEqual({ account: null })
  const first = await signIn(server.ann)
  const second = await call(
    `POST ${SESSION_PATH}`,
    { origin: HERE, cookie: first.cookie },
    { token: server.bob }
  )
  expect(second.status).toBe(200)
  expect((await call(`GET ${SESSION_PATH}`, { cookie: first.cookie })).json).toEqual({ account: null })
})

test("a stream of events ends with the session that opened it, and others go on", async () => {
  const { cookie } = await signIn(server.ann)
  const open = (headers: Record<string, string>) =>
    server.edge.handle(new Request(`${HERE}/v1/events`, { headers }), () => "198.18.1.1")
  const [own, others] = [await open({ cookie }), await open({ authorization: `Bearer ${server.ann}` })]
  expect([own.status, others.status]).toEqual([200, 200])
  const whole = own.text()
  await call(`DELETE ${SESSION_PATH}`, { cookie, origin: HERE })
  expect(await whole).toStartWith("retry: 2000\nid: ")
  const reader = others.body?.getReader()
  await reader?.read()
  const silence = Bun.sleep(400).then(() => "still open")
  expect(await Promise.race([silence, reader?.read()])).toBe("still open")
  await reader?.cancel()
})

test("the reference names both ways to authenticate", async () => {
  const { paths, components } = (await call("GET /openapi.json")).json
  expect(components.securitySchemes.session).toMatchObject({ in: "cookie", name: "signalbox_session" })
  expect(paths["/v1/signals"].post.security).toEqual([{ bearer: [] }, { session: [] }])
  expect(paths[SESSION_PATH].post.security).toEqual([])
  expect(paths[SESSION_PATH].get.security).toEqual([])
  expect(paths["/v1/signals/charting"].post.security).toEqual([{ key: [] }])
})

test("a session has the rate limits of a token, and the dashboard's reads have their own", async () => {
  const limited = await start({ ...NO_LIMITS, crud: 1 })
  const before = server
  server = limited
  const { cookie } = await signIn(limited.ann)
  expect((await call("GET /v1/signals", { cookie })).status).toBe(200)
  const second = await call("GET /v1/signals", { cookie })
  expect([second.status, second.headers.get("retry-after")]).toEqual([429, "1"])
  for (const read of ["session", "signals", "tokens", "notifications", "overview", "strategies"]) {
    const own = await call(`GET /v1/dashboard/${read}`, { cookie })
    expect([read, own.status]).toEqual([read, 200])
    expect(own.headers.get("ratelimit-policy")).toBe(`"dashboard";q=50;w=1`)
  }
  server = before
  await limited.stop()
})

test("no token, key or cookie is ever logged", async () => {
  const said: Array<string> = []
  const heard = Logger.make(({ annotations, cause, message }) =>
    said.push(JSON.stringify([message, [...annotations], String(cause)]))
  )
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(
      world(NO_LIMITS),
      Logger.replace(Logger.defaultLogger, heard),
      Logger.minimumLogLevel(LogLevel.All)
    )
  )
  const scope = Effect.runSync(Scope.make())
  const edge = await runtime.runPromise(Scope.extend(Edge.make(), scope))
  const { ann } = await runtime.runPromise(tokens)
  const send = (path: string, init: RequestInit) =>
    edge.handle(new Request(HERE + path, init), () => "192.0.2.1")
  const signedIn = await send(SESSION_PATH, { method: "POST", body: JSON.stringify({ token: ann }) })
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
  const made = await send("/v1/tokens", {
    method: "POST",
    headers: { cookie, origin: HERE },
    body: `{"scope":"full"}`
  })
  const { token } = JSON.parse(await made.text())
  expect(made.status).toBe(201)
  await send("/v1/strategies/666", { method: "DELETE", headers: { cookie, origin: HERE } })
  await send("/v1/signals", { method: "POST", headers: { cookie } })
  await send(SESSION_PATH, { method: "DELETE", headers: { cookie, origin: HERE } })
  await send(SESSION_PATH, { headers: { cookie } })
  await Bun.sleep(20)
  expect(said.join()).toContain("planted")
  expect(said.join()).toContain(SESSION_PATH)
  for (const secret of [ann, token, cookie.split("=")[1] ?? "?"]) expect(said.join()).not.toContain(secret)
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await runtime.dispose()
})
