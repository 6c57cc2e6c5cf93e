// The lists of received and refused alerts, without secrets.
import { expect, test } from "bun:test"
import { scenario } from "../lib/http.ts"
import { start, type TestServer } from "../lib/server.ts"

const signal = (active: boolean, name = "Trend") => ({ name, description: "", active, public: true })
const alert = { signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "buy" }
const hook = "POST /v1/signals/charting?key={key}"
const list = "GET /v1/dashboard/alerts"
const refused = "GET /v1/dashboard/refusals"
const made = { status: 201 }

scenario("the dashboard lists what came in at the alert doors, without secrets", [
  { send: "POST /v1/signals", body: signal(true, "<b>Trend</b>"), ...made },
  { send: "POST /v1/signals", body: signal(true, "Other"), ...made },
  { send: list, status: 200, text: `{"data":[]}` },
  { send: list, as: "none", status: 401 },
  { send: list, as: "hook", status: 403 },
  { send: hook, as: "none", body: { ...alert, passphrase: "hunter2", note: "a\u0007b" }, status: 200 },
  { send: `${hook}&signal_id=2&coin=BTC&quote_currency=USDT&type=sell`, as: "none", status: 200 },
  { send: `${hook}&signal_id=2&secret=hunter2`, as: "none", body: { ...alert, tp: 7 }, status: 200 },
  { send: "POST /v1/signals/alert", body: new URLSearchParams({ ...alert, signal_id: "1" }), status: 200 },
  { send: "POST /v1/signals/alert", body: { ...alert, test: true }, status: 200 },
  {
    send: list,
    status: 200,
    json: {
      data: [
        { id: 4, door: "alert", body: "signal_id=1&coin=BTC&quote_currency=USDT&type=buy", warnings: [] },
        {
          id: 3,
          door: "charting",
          tp: 7,
          body: expect.stringMatching(/^\?signal_id=2&secret=\[redacted\]\n\{/)
        },
        {
          id: 2,
          signal_id: 2,
          signal_name: "Other",
          type: "sell",
          body: "?signal_id=2&coin=BTC&quote_currency=USDT&type=sell"
        },
        {
          id: 1,
          signal_id: 1,
          signal_name: "<b>Trend</b>",
          door: "charting",
          coin: "BTC",
          quote_currency: "USDT",
          type: "buy",
          repeats: 0,
          outcomes: [],
          body: `{"signal_id":1,"coin":"BTC","quote_currency":"USDT","type":"buy","passphrase":"[redacted]","note":"a\\u0007b"}`
        }
      ]
    },
    not: ["hunter2"]
  },
  {
    send: `${list}?limit=1&signal_id=1`,
    status: 200,
    json: { data: [{ id: 4 }] },
    gives: { link: `</v1/dashboard/alerts?limit=1&cursor=NA&signal_id=1>; rel="next"` }
  },
  {
    send: `${list}?limit=1&cursor=Mw&signal_id=1`,
    status: 200,
    json: { data: [{ id: 1 }] },
    gives: { link: null }
  },
  { send: `${list}?signal_id=9`, status: 200, text: `{"data":[]}` },
  { send: `${list}?signal_id=x`, status: 422, json: { errors: { signal_id: [expect.any(String)] } } },
  { send: `${list}?limit=0&signal_id=1`, status: 422, json: { errors: { limit: [expect.any(String)] } } },
  { send: `${list}?signal_id=1&signal_id=2`, status: 422 },
  { send: list, as: "bob", status: 200, text: `{"data":[]}` },
  { send: "DELETE /v1/signals/2", status: 200 },
  { send: `${list}?signal_id=2`, status: 200, json: { data: [{ id: 2, signal_name: null }] } }
])

scenario("the dashboard lists refused requests, without secrets", [
  { send: "POST /v1/signals", body: signal(false), ...made },
  { send: refused, as: "none", status: 401 },
  { send: refused, as: "hook", status: 403 },
  { send: hook, as: "none", body: alert, status: 422 },
  { send: hook, as: "none", body: `{"signal_id":1,"api_key":"hunter2",`, status: 400 },
  { send: "POST /v1/signals/alert", body: { ...alert, signal_id: 9 }, status: 404 },
  { send: "POST /v1/signals/alert", body: "x".repeat(70_000), status: 413 },
  {
    send: `${hook}&secret=hunter2`,
    as: "none",
    headers: { "idempotency-key": "" },
    body: alert,
    status: 422
  },
  { send: "POST /v1/signals/alert", as: "none", body: alert, status: 401 },
  { send: "POST /v1/alerts/parse", body: "{", status: 400 },
  {
    send: refused,
    status: 200,
    json: {
      data: [
        { door: "charting", status: 422, body: expect.stringMatching(/^\?secret=\[redacted\]\n\{/) },
        { door: "alert", status: 413, code: "body_too_large", body: null },
        { door: "alert", status: 404, code: "not_found", message: "there is no such signal" },
        {
          door: "charting",
          status: 400,
          code: "malformed_body",
          body: `{"signal_id":1,"api_key":"[redacted]",`
        },
        { door: "charting", status: 422, code: "signal_inactive", body: JSON.stringify(alert) }
      ]
    },
    not: ["hunter2"]
  },
  { send: refused, as: "bob", status: 200, text: `{"data":[]}` },
  { send: list, status: 200, text: `{"data":[]}` }
])

scenario(
  "the dashboard lists requests that were refused by the rate limit, without their bodies",
  [
    { send: "POST /v1/signals", body: signal(true), ...made },
    { send: hook, as: "none", body: alert, status: 200 },
    { send: hook, as: "none", body: alert, status: 429 },
    { send: hook, as: "none", body: alert, status: 429 },
    {
      send: refused,
      status: 200,
      json: { data: [{ status: 429, code: "rate_limited", door: "charting", body: null }] }
    }
  ],
  { crud: 0, alert: 1 }
)

/** Every way a token gets into an alert by mistake. */
const leaks = (server: TestServer): ReadonlyArray<readonly [string, string]> => [
  [`{"signal_id":1,"coin":"BTC","quote_currency":"USDT","type":"buy","note":"${server.ann}"}`, ""],
  [`{"signal_id":1,"coin":"BTC","quote_currency":"USDT","type":"buy","key":"${server.hook}"}`, ""],
  [`signal_id=1&coin=BTC&quote_currency=USDT&type=buy&x=${encodeURIComponent(server.bob)}`, ""],
  ["", `&signal_id=1&coin=BTC&quote_currency=USDT&type=buy&x=${server.ann}`],
  ["", `&signal_id=1&coin=BTC&quote_currency=USDT&type=buy&%6Bey=${server.hook.replace("sbx", "%73bx")}`],
  [`{"signal_id":1,"type":"${server.ann}`, ""],
  [server.hook, `&x=${server.hook}`],
  [`{"signal_id":1,"a":"${server.ann.slice(0, 20)}","b":"${server.ann.slice(20)}"}`, ""]
]

test("no token appears in a response, however it was sent", async () => {
  const server = await start()
  const auth = { authorization: `Bearer ${server.ann}` }
  const body = JSON.stringify(signal(true))
  const headers = { ...auth, "content-type": "application/json" }
  await server.fetch("/v1/signals", { method: "POST", headers, body })
  for (const [text, query] of leaks(server))
    await server.fetch(`/v1/signals/charting?key=${server.hook}${query}`, { method: "POST", body: text })
  const read = async (path: string) => (await server.fetch(path, { headers: auth })).text()
  const told = (await read("/v1/dashboard/alerts")) + (await read("/v1/dashboard/refusals"))
  expect(told.match(/"door"/g)?.length).toBe(leaks(server).length)
  for (const secret of [server.ann, server.bob, server.hook])
    for (let from = 8; from + 16 <= secret.length; from++)
      expect(told).not.toContain(secret.slice(from, from + 16))
  await server.stop()
})

test("a multipart form is stored without its secrets", async () => {
  const server = await start()
  const auth = { authorization: `Bearer ${server.ann}` }
  const headers = { ...auth, "content-type": "application/json" }
  await server.fetch("/v1/signals", { method: "POST", headers, body: JSON.stringify(signal(true)) })
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...alert, api_key: "hunter2" })) form.set(name, String(value))
  await server.fetch("/v1/signals/alert", { method: "POST", headers: auth, body: form })
  const text = await (await server.fetch("/v1/dashboard/alerts", { headers: auth })).text()
  expect(text).toContain(`name=\\"coin\\"\\n\\nBTC`)
  expect(text).toContain(`name=\\"api_key\\"\\n\\n[redacted]`)
  expect(text).not.toContain("hunter2")
  await server.stop()
})
