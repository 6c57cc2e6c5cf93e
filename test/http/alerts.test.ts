// The alert doors: every accepted form of an alert, every rejection, and repeats.
import { describe, expect, test } from "bun:test"
import { scenario } from "../lib/http.ts"
import { start } from "../lib/server.ts"

const signal = (active: boolean) => ({ name: "s", description: "", active, public: true })
const alert = { signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "buy" }
const done = { type: "success", message: "the alert is stored and will be acted on" }
const hook = "POST /v1/signals/charting?key={key}"
const stored = (id: number) => ({ status: 200, is: done, gives: { location: `/v1/alerts/${id}` } })
const multipart = () => {
  const data = new FormData()
  for (const [name, value] of Object.entries(alert)) data.set(name, String(value))
  return data
}

scenario("alerts are accepted in every documented form", [
  { send: "POST /v1/signals", body: signal(true), status: 201 },
  { send: "POST /v1/signals/alert", body: alert, ...stored(1) },
  {
    send: "POST /v1/signals/alert",
    as: "hook",
    body: new URLSearchParams({ ...alert, signal_id: "1" }),
    ...stored(2)
  },
  { send: "POST /v1/signals/alert", body: multipart(), ...stored(3) },
  {
    send: hook,
    as: "none",
    headers: { "content-type": "text/plain" },
    body: JSON.stringify(alert),
    ...stored(4)
  },
  {
    send: `${hook}&signal_id=1&ticker=BINANCE%3AETHUSDT`,
    as: "none",
    body: { action: "Sell" },
    ...stored(5)
  },
  { send: `${hook}&signal_id=1&coin=BTC&quote_currency=USDT&type=buy`, as: "none", ...stored(6) },
  { send: hook, as: "none", body: { ...alert, symbol: "BTCUSDT.P", coin: null }, ...stored(7) },
  {
    send: "GET /v1/alerts/5",
    status: 200,
    json: {
      id: 5,
      signal_id: 1,
      coin: "ETH",
      quote_currency: "USDT",
      type: "sell",
      tp: null,
      repeats: 0,
      outcomes: []
    }
  },
  { send: "GET /v1/alerts/7", status: 200, json: { warnings: [expect.stringContaining("perpetual")] } },
  { send: "GET /v1/alerts/1", as: "bob", status: 404, json: { message: "there is no such alert" } },
  { send: "GET /v1/alerts", as: "bob", status: 200, text: `{"data":[]}` },
  {
    send: "GET /v1/alerts?limit=2",
    status: 200,
    json: { data: [{ id: 7 }, { id: 6 }] },
    gives: { link: `</v1/alerts?limit=2&cursor=Ng>; rel="next"` }
  },
  {
    send: "GET /v1/alerts?limit=5&cursor=Ng",
    status: 200,
    json: { data: [{ id: 5 }, {}, {}, {}, { id: 1 }] },
    gives: { link: null }
  },
  { send: "GET /v1/alerts?limit=0", status: 422 }
])

scenario("refused alerts leave nothing behind", [
  { send: "POST /v1/signals", body: signal(false), status: 201 },
  { send: "POST /v1/signals", as: "bob", body: signal(true), status: 201 },
  {
    send: hook,
    as: "none",
    body: alert,
    status: 422,
    json: { code: "signal_inactive", errors: { signal_id: [expect.any(String)] } }
  },
  {
    send: hook,
    as: "none",
    body: { ...alert, type: "x" },
    status: 422,
    json: { errors: { signal_id: ["is an inactive signal"], type: [expect.any(String)] } }
  },
  {
    send: hook,
    as: "none",
    body: { ...alert, signal_id: 2 },
    status: 404,
    json: { code: "not_found", message: "there is no such signal" }
  },
  {
    send: hook,
    as: "none",
    body: { ...alert, signal_id: 99 },
    status: 404,
    json: { code: "not_found", message: "there is no such signal" }
  },
  { send: hook, as: "none", body: "{{close}} and more", status: 400 },
  {
    send: hook,
    as: "none",
    body: `{"signal_id":1,"type":"buy","symbol":"BTCUSDT","tp":{{plot("my secret plan")}}}`,
    status: 422,
    json: { code: "unresolved_placeholder", errors: {}, message: expect.stringContaining("{{plot}}") },
    not: ["secret plan"]
  },
  {
    send: hook,
    as: "none",
    body: `{"signal_id":1,"key":"hunter2","type":"hunter2"}`,
    status: 422,
    not: ["hunter2"]
  },
  {
    send: hook,
    as: "none",
    body: { ...alert, tp: 0, sl: "1,5" },
    status: 422,
    json: { errors: { tp: [expect.any(String)], sl: [expect.any(String)] } }
  },
  { send: "GET /v1/alerts", status: 200, text: `{"data":[]}` }
])

scenario("an alert that is sent again is the same alert", [
  { send: "POST /v1/signals", body: signal(true), status: 201 },
  { send: hook, as: "none", body: { ...alert, id: "a" }, ...stored(1) },
  { send: hook, as: "none", body: { ...alert, id: "a" }, ...stored(1) },
  { send: hook, as: "none", body: { ...alert, id: "a", tp: 5 }, ...stored(2) },
  { send: "GET /v1/alerts/1", status: 200, json: { repeats: 1 } },
  { send: "GET /v1/alerts/2", status: 200, json: { repeats: 0, warnings: [expect.any(String)] } },
  { send: "POST /v1/signals/alert", body: { ...alert, id: "a" }, ...stored(3) },
  { send: hook, as: "none", body: alert, ...stored(4) },
  { send: hook, as: "none", body: alert, ...stored(5) },
  { send: hook, as: "none", body: { ...alert, timenow: "2026-01-01T00:00:00Z" }, ...stored(6) },
  { send: hook, as: "none", body: { ...alert, timenow: "2026-01-01T00:00:00Z" }, ...stored(6) },
  { send: hook, as: "none", body: { ...alert, timenow: "2026-01-01T00:01:00Z" }, ...stored(7) },
  { send: hook, as: "none", body: { ...alert, time: "{{timenow}}" }, ...stored(8) },
  { send: hook, as: "none", body: { ...alert, time: "{{timenow}}" }, ...stored(9) },
  { send: hook, as: "none", headers: { "idempotency-key": "k" }, body: { ...alert, id: "b" }, ...stored(10) },
  { send: hook, as: "none", headers: { "idempotency-key": "k" }, body: { ...alert, id: "b" }, ...stored(10) },
  {
    send: hook,
    as: "none",
    headers: { "idempotency-key": "k" },
    body: { ...alert, id: "c" },
    status: 422,
    json: { code: "idempotency_key_reused" }
  },
  {
    send: `${hook}&sl=1`,
    as: "none",
    headers: { "idempotency-key": "k" },
    body: { ...alert, id: "b" },
    status: 422
  },
  { send: hook, as: "none", headers: { "idempotency-key": "" }, body: alert, status: 422 }
])

describe("the lean door and the contract's router", () => {
  test("give the same answer to the same request", async () => {
    const server = await start()
    const { handle } = server.edge
    const auth = { authorization: `Bearer ${server.ann}`, "content-type": "application/json" }
    await server.fetch("/v1/signals", { method: "POST", headers: auth, body: JSON.stringify(signal(true)) })
    const bodies = [JSON.stringify(alert), "{", `{"signal_id":9}`, `{"signal_id":1}`]
    for (const body of bodies) {
      const send = (headers: Record<string, string>) => {
        const request = new Request("http://localhost/v1/signals/alert", { method: "POST", headers, body })
        return handle(request, () => "192.0.2.1")
      }
      const known = await send({ ...auth, "content-length": String(body.length) })
      const streamed = await send(auth)
      const plain = (text: string) => text.replace(/"request_id":"[^"]*"/, "")
      expect(streamed.status).toBe(known.status)
      expect(plain(await streamed.text())).toBe(plain(await known.text()))
    }
    await server.stop()
  })
})
