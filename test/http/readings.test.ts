// How alerts are understood: `parse`, templates and test alerts.
import { expect, test } from "bun:test"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import * as Edge from "../../src/http/edge/Edge.ts"
import * as Memory from "../../src/Memory.ts"
import * as Flow from "../lib/flow.ts"
import { scenario } from "../lib/http.ts"
import * as Servers from "../lib/server.ts"

const signal = { name: "s", description: "", active: true, public: true }
const hook = "POST /v1/signals/charting?key={key}"
const parse = "POST /v1/alerts/parse"
const alert = { signal_id: 1, symbol: "BTCUSDT.P", action: "sell", market_position: "flat", time: "1" }

/** A chart's message about a long on spot. */
const chart = (fields: object) => ({
  ...{ signal_id: 1, symbol: "BTCUSDT", market_position: "long", prev_market_position: "long" },
  ...fields
})

scenario("an alert is explained without being stored", [
  { send: "POST /v1/signals", body: signal, status: 201 },
  {
    send: `${parse}?signal_id=1`,
    body: { ticker: "BINANCE:ETHUSDT", action: "Buy", tp: "70", timenow: "2026-01-01T00:00:00Z" },
    status: 200,
    is: {
      signal_id: 1,
      coin: "ETH",
      quote_currency: "USDT",
      type: "buy",
      tp: 70,
      sl: null,
      tps: null,
      close_percent: null,
      reverse: null,
      buy_percentage: null,
      growth_percent: null,
      either_side: false,
      fields: [
        { field: "signal_id", value: 1, from: "signal_id", in: "address" },
        { field: "coin", value: "ETH", from: "ticker", in: "body" },
        { field: "quote_currency", value: "USDT", from: "ticker", in: "body" },
        { field: "type", value: "buy", from: "action", in: "body" },
        { field: "tp", value: 70, from: "tp", in: "body" }
      ],
      sent_again: "time",
      warnings: []
    }
  },
  {
    send: parse,
    as: "hook",
    body: { ...alert, prev_market_position: "long" },
    status: 200,
    json: {
      type: "close_long",
      fields: expect.arrayContaining([expect.objectContaining({ from: "market_position" })])
    }
  },
  {
    send: parse,
    body: chart({ action: "sell", market_position_size: 0.6, prev_market_position_size: 1 }),
    status: 200,
    json: { type: "sell", close_percent: 40, growth_percent: null }
  },
  {
    send: parse,
    body: chart({ action: "buy", market_position_size: 1.5, prev_market_position_size: 1 }),
    status: 200,
    json: { type: "buy", close_percent: null, growth_percent: 50, either_side: false }
  },
  {
    send: parse,
    body: { ...chart({ market_position: "short" }), symbol: "BTCUSDT.P" },
    status: 200,
    json: {
      type: "short",
      reverse: true,
      fields: expect.arrayContaining([{ field: "reverse", value: true, from: "market_position", in: "body" }])
    }
  },
  { send: parse, body: alert, status: 200, json: { type: "close_long", either_side: true } },
  {
    send: parse,
    body: { ...alert, market_position: "up" },
    status: 422,
    json: { errors: { market_position: ["must be long, short or flat"] } }
  },
  { send: parse, as: "none", body: alert, status: 401 },
  { send: `${parse}?key={key}`, as: "none", body: alert, status: 401 },
  { send: parse, as: "bob", body: alert, status: 404 },
  { send: parse, body: { ...alert, signal_id: 9 }, status: 404 },
  { send: parse, body: "buy now!", status: 400 },
  { send: "GET /v1/alerts/parse", status: 405, gives: { allow: "POST, OPTIONS" } },
  { send: "PUT /v1/signals/1", body: { active: false }, status: 200 },
  { send: parse, body: alert, status: 422, json: { code: "signal_inactive" } },
  { send: "GET /v1/alerts", status: 200, text: `{"data":[]}` }
])

scenario("a test alert is answered and not stored", [
  { send: "POST /v1/signals", body: signal, status: 201 },
  {
    send: `${hook}&test=true`,
    as: "none",
    headers: { "idempotency-key": "k" },
    body: { ...alert, id: "a" },
    status: 200,
    json: { type: "success", test: true, alert: { type: "close_long", sent_again: "id" }, outcomes: [] },
    gives: { location: null }
  },
  { send: "POST /v1/signals/alert", body: { ...alert, id: "a", test: 1 }, status: 200, json: { test: true } },
  { send: "GET /v1/alerts", status: 200, text: `{"data":[]}` },
  {
    send: "POST /v1/signals/alert",
    body: { ...alert, test: "perhaps" },
    status: 422,
    json: { errors: { test: ["must be true or false"] } }
  },
  { send: "POST /v1/signals/alert", body: { ...alert, signal_id: 9, test: true }, status: 404 },
  {
    send: `${hook}&test=false`,
    as: "none",
    body: { ...alert, id: "a" },
    status: 200,
    gives: { location: "/v1/alerts/1" }
  },
  {
    send: hook,
    as: "none",
    headers: { "idempotency-key": "k" },
    body: { ...alert, id: "a" },
    status: 200,
    gives: { location: "/v1/alerts/2" }
  }
])

scenario("a URL without a body is an alert", [
  { send: "POST /v1/signals", body: signal, status: 201 },
  {
    send: `${hook}&signal_id=1&symbol=BTCUSDT&type=buy`,
    as: "none",
    headers: { "content-type": "text/plain" },
    body: "",
    status: 200
  },
  {
    send: `${hook}&signal_id=1&symbol=BTCUSDT&type=buy`,
    as: "none",
    headers: { "content-length": "0" },
    status: 200
  },
  { send: "GET /v1/signals/charting?key={key}&signal_id=1&symbol=BTCUSDT&type=buy", as: "none", status: 405 },
  {
    send: "GET /v1/alerts",
    status: 200,
    json: {
      data: [
        { coin: "BTC", type: "buy" },
        { coin: "BTC", type: "buy" }
      ]
    }
  }
])

scenario("a signal's template has the address and the messages to paste", [
  { send: "POST /v1/signals", body: signal, status: 201 },
  {
    send: "GET /v1/signals/1/template",
    status: 200,
    json: {
      signal_id: 1,
      url: "/v1/signals/charting?key=YOUR_TOKEN&signal_id=1",
      strategy: { message: expect.stringContaining("{{strategy.prev_market_position}}") }
    }
  },
  { send: "GET /v1/signals/1/template", as: "bob", status: 404 },
  { send: "GET /v1/signals/1/template", as: "hook", status: 403 },
  { send: "GET /v1/signals/1/template", as: "none", status: 401 },
  { send: "GET /v1/signals/2/template", status: 404 }
])

test("a test alert says what the bots would do, with sizes only for full scope", async () => {
  const quiet = Layer.merge(Layer.setTracerEnabled(false), Logger.replace(Logger.defaultLogger, Logger.none))
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(Servers.notifying.pipe(Layer.provideMerge(Memory.layer())), quiet, Layer.scope)
  )
  const { edge, tokens } = await runtime.runPromise(
    Effect.gen(function* () {
      const edge = yield* Edge.make()
      const tokens = yield* Servers.tokens
      yield* Flow.ann({ default_exchange_name: "binance" })
      yield* Flow.quote(100)
      return { edge, tokens }
    })
  )
  const ask = async (secret: string): Promise<unknown> => {
    const body = JSON.stringify({ signal_id: 1, symbol: "BTCUSDT", type: "buy", test: true })
    const headers = { authorization: `Bearer ${secret}`, "content-length": String(body.length) }
    const request = new Request("http://localhost/v1/signals/alert", { method: "POST", headers, body })
    return (await edge.handle(request, () => "192.0.2.1")).json()
  }
  const outcome = {
    strategy_id: 1,
    name: "Swing",
    outcome: "acted",
    reason: "opened",
    text: "an entry is ordered"
  }
  const steps = [
    expect.stringMatching(/^Ordered to buy [\d.]+ BTC on BTC\/USDT at 100\.$/),
    expect.stringMatching(/^Order: buy [\d.]+ BTC \(spot\) at about 100, /)
  ]
  expect(await ask(tokens.ann)).toMatchObject({ test: true, outcomes: [{ ...outcome, steps }] })
  expect(await ask(tokens.hook)).toMatchObject({ test: true, outcomes: [{ ...outcome, steps: [] }] })
  // A symbol of one asset, or with its quote asset first, is matched with the pairs of the followers.
  const understood = async (symbol: string): Promise<unknown> => {
    const body = new URLSearchParams({ signal_id: "1", symbol, action: "buy" })
    const headers = { authorization: `Bearer ${tokens.hook}` }
    const request = new Request("http://localhost/v1/alerts/parse", { method: "POST", headers, body })
    return (await edge.handle(request, () => "192.0.2.1")).json()
  }
  const pair = { coin: "BTC", quote_currency: "USDT", warnings: expect.arrayContaining([expect.any(String)]) }
  for (const symbol of ["BTC-PERP", "USDT_BTC", "XBTUSDTM"])
    expect(await understood(symbol)).toMatchObject(symbol === "XBTUSDTM" ? { coin: "BTC" } : pair)
  expect(await understood("USDT-DOGE")).toMatchObject({ coin: "DOGE", quote_currency: "USDT" })
  await runtime.dispose()
})
