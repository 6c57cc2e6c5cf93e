// Percent-encoded keys and ids: decoded exactly once, and redacted everywhere.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { Effect, Layer } from "effect"
import { CHARTING, CHARTING_PATH } from "../../src/api/AlertOperations.ts"
import * as Gate from "../../src/http/access/Gate.ts"
import * as AlertDoor from "../../src/http/alerts/AlertDoor.ts"
import * as Contract from "../../src/http/Contract.ts"
import { EventStreams } from "../../src/http/edge/EventStreams.ts"
import * as Routes from "../../src/http/routes/Routes.ts"
import { it } from "../lib/effect.ts"
import { NO_LIMITS, start, type TestServer, tokens, world } from "../lib/server.ts"

// Plays a relay that percent-encodes more than it must, and an attacker who makes use of the decoding.

let server: TestServer
beforeAll(async () => {
  server = await start()
  const signal = { name: "s", description: "", active: true, public: true }
  for (let count = 0; count < 2; count++) await asAnn("POST", "/v1/signals", signal)
})
afterAll(() => server.stop())

const asAnn = (method: string, path: string, body?: object): Promise<Response> =>
  server.fetch(path, {
    method,
    headers: { authorization: `Bearer ${server.ann}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

const alert = JSON.stringify({ signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "buy" })

let peers = 0
/** The answer of the webhook, to a caller from a network of its own. */
const hooked = (query: string, body = alert): Promise<Response> =>
  server.fetch(
    `/v1/signals/charting?${query}`,
    { method: "POST", body },
    `203.1.${++peers >> 8}.${peers & 255}`
  )

const every = (text: string): string =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`).join("")
const underscored = (text: string): string => text.replaceAll("_", "%5F")
const twice = (text: string): string => every(text).replaceAll("%", "%25")

test("a percent-encoded key opens the webhook", async () => {
  const { hook } = server
  const whole = "signal_id=1&symbol=BTC%2FUSDT&type=buy"
  for (const query of [
    `key=${underscored(hook)}`,
    `key=${every(hook)}`,
    `key=${every(hook).toUpperCase()}`
  ]) {
    expect((await hooked(query)).status).toBe(200)
    expect((await hooked(`${whole}&${query}`, "")).status).toBe(200)
    expect((await hooked(`${query}&${whole}`, "")).status).toBe(200)
  }
})

test("fields beside the key are decoded as forms are, with a plus sign as a blank", async () => {
  const answer = await hooked(
    `key=${underscored(server.hook)}&signal_id=1&symbol=+BTC%2fUSDT+&type=bu%79`,
    ""
  )
  expect(answer.status).toBe(200)
  const { pathname } = new URL(answer.headers.get("location") ?? "", "http://localhost")
  expect(await (await asAnn("GET", pathname)).json()).toMatchObject({ coin: "BTC", type: "buy" })
})

test("a key that is malformed, encoded twice or given twice is refused", async () => {
  const { hook } = server
  const broken = ["%", "%5", "%zz", "%FF", "%C0%80", "%E0%80", "%u005F"].flatMap((text) => [
    `key=${hook}${text}`,
    `key=${text}${hook}`,
    `key=${text}`
  ])
  for (const query of [
    ...broken,
    `key=${twice(hook)}`,
    `key=${underscored(hook).replaceAll("%", "%25")}`,
    // The parameter's name is not decoded, so another spelling is not a key.
    `k%65y=${hook}`,
    `key=${hook}+`,
    `key=${hook}%20`,
    `key=${hook}%00`,
    `key=${every(hook)}&key=${hook}`,
    `key%3D${hook}`
  ]) {
    const answer = await hooked(query)
    expect([query, answer.status]).toEqual([query, 401])
    const text = await answer.text()
    expect(text).not.toContain(hook)
    expect(text).not.toContain("%")
  }
})

test("the key is taken out of the query, and the rest of the query stays as it was", () => {
  const rest = "signal_id=1&symbol=BTC%2FUSDT&a+b=%zz"
  for (const key of ["key=a_b", "key=a%5Fb", "key=%61%5fb"]) {
    for (const query of [`${key}&${rest}`, `${rest}&${key}`])
      expect(Gate.keyOf(query)).toEqual({ key: "a_b", rest })
    expect(Gate.keyOf(key)).toEqual({ key: "a_b", rest: "" })
  }
  expect(Gate.keyOf("key=a&key=%61")).toEqual({ key: undefined, rest: "" })
})

it.scoped("the contract's own router accepts an encoded key just as the direct alert route does", () =>
  Effect.gen(function* () {
    const { hook } = yield* tokens
    const { answer } = yield* Contract.make
    const status = (query: string) => {
      const request = new Request(`http://localhost${CHARTING_PATH}?${query}`, {
        method: "POST",
        body: alert
      })
      const facts = { id: "1", path: CHARTING_PATH, query, peer: () => "203.0.113.1", origin: () => "" }
      const rest = { linger: () => {}, takesSessions: false }
      return Effect.promise(async () => (await answer(request, { ...facts, ...rest, ...CHARTING })).status)
    }
    // The key is valid, and there is no such signal.
    for (const query of [`key=${hook}`, `key=${underscored(hook)}`, `key=${every(hook)}`])
      expect(yield* status(query)).toBe(404)
    for (const query of [`key=${twice(hook)}`, `key=${hook}%zz`, "key=%", `key=${hook}&key=${every(hook)}`])
      expect(yield* status(query)).toBe(401)
  }).pipe(
    Effect.provide(
      Layer.mergeAll(Gate.Gate.layer, AlertDoor.AlertDoor.layer, EventStreams.layer).pipe(
        Layer.provideMerge(world(NO_LIMITS))
      )
    )
  )
)

test("a percent-encoded id in a path is decoded exactly once", async () => {
  for (const [path, status] of [
    ["/v1/signals/1", 200],
    ["/v1/signals/%31", 200],
    ["/v1/signals/%2531", 404],
    ["/v1/signals/%", 404],
    ["/v1/signals/%3", 404],
    ["/v1/signals/%zz", 404],
    ["/v1/signals/%FF", 404],
    ["/v1/signals/1%2F", 404],
    ["/v1/signals/%2F1", 404],
    ["/v1/signals/1%00", 404],
    ["/v1/signals/%31%0A", 404],
    ["/v1/signals/%20%31", 404],
    ["/v1/signals/+1", 404],
    ["/v1/signals/%2e%2e%2f1", 404],
    ["/v1/signals/%EF%BC%91", 404],
    ["/v1/dashboard/signals/%32", 200],
    ["/v1/signals%2F1", 404]
  ] as const) {
    expect([path, (await asAnn("GET", path)).status]).toEqual([path, status])
  }
  expect((await asAnn("DELETE", "/v1/signals/%32")).status).toBe(200)
  expect((await asAnn("GET", "/v1/signals/2")).status).toBe(404)
})

test("every path of the contract with an id decodes it", () => {
  for (const path of [
    "/v1/alerts/1",
    "/v1/strategies/1",
    "/v1/strategies/1/timeline",
    "/v1/strategies/1/orders",
    "/v1/strategies/1/arming",
    "/v1/signals/1/template",
    "/v1/exchange-accounts/1/check",
    "/v1/notifications/1/test",
    "/v1/dashboard/strategies/1/trades.csv"
  ]) {
    expect(Routes.find(path)?.path).toBe(path)
    expect(Routes.find(path.replace("/1", "/%31"))).toEqual(Routes.find(path))
    expect(Routes.find(path.replace("/1", "/%25%33%31"))?.path).toBe(path.replace("/1", "/0"))
  }
})

test("an encoded key is redacted wherever it is stored or shown", async () => {
  const { ann, hook } = server
  for (const disguised of [underscored(hook), every(hook), twice(hook)]) {
    // One body is malformed, the other field is in an address that takes no key: the dashboard keeps both requests.
    await hooked(`key=${hook}&note=${disguised}`, "{")
    await server.fetch(`/v1/signals/alert?k%65y=${disguised}`, {
      method: "POST",
      body: alert,
      headers: { authorization: `Bearer ${ann}` }
    })
  }
  for (const path of ["/v1/dashboard/alerts", "/v1/dashboard/refusals"]) {
    const text = await (await asAnn("GET", path)).text()
    expect(text).toContain("[")
    for (const form of [hook, underscored(hook), every(hook), twice(hook)])
      expect(text.toLowerCase()).not.toContain(form.slice(0, 40).toLowerCase())
  }
})
