// The routes of strategies.
import { scenario } from "../lib/http.ts"

const draft = {
  name: "dip",
  description: "buys dips",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 10,
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
}
const json = { "content-type": "application/json" }
const LISTED = [
  "strategy_id",
  "name",
  "description",
  "active",
  "public",
  "default_quote_currency",
  "buy_percentage",
  "min_profit_percent",
  "exchanges",
  "performance",
  "created_at",
  "updated_at"
]

scenario("strategies are created, read, changed and deleted", [
  {
    send: "POST /v1/strategies",
    body: { ...draft, stop_loss: true, stop_loss_percentage: 5 },
    status: 201,
    gives: { location: "/v1/strategies/1" },
    json: { strategy_id: 1, maker_fee: 0.1, exchanges: draft.exchanges },
    not: ["stop_loss"]
  },
  { send: "GET /v1/strategies", status: 200, json: { data: [{ strategy_id: 1 }] }, not: ["stop_loss"] },
  {
    send: "GET /v1/strategies/1",
    status: 200,
    json: {
      stop_loss_enabled: true,
      stop_loss_percent: 5,
      dca_enabled: false,
      dca_order_size: null,
      signal_id: null
    }
  },
  { send: "GET /v1/strategies/1/timeline", status: 200, text: `{"data":[]}` },
  {
    send: "PUT /v1/strategies/1",
    body: { stop_loss: false },
    status: 200,
    keys: LISTED,
    not: ["maker_fee", "default_exchange_name"]
  },
  { send: "GET /v1/strategies/1", status: 200, json: { stop_loss_enabled: false, stop_loss_percent: null } },
  { send: "GET /v1/strategies/1", as: "bob", status: 404 },
  { send: "PUT /v1/strategies/1", as: "bob", body: { active: false }, status: 404 },
  { send: "DELETE /v1/strategies/1", as: "bob", status: 404 },
  { send: "GET /v1/strategies/1/timeline", as: "bob", status: 404 },
  { send: "DELETE /v1/strategies/1", status: 200, json: { type: "success" } },
  { send: "GET /v1/strategies/1", status: 404, json: { message: "there is no such strategy" } }
])

scenario("strategies take JSON alone, and check its types strictly", [
  {
    send: "POST /v1/strategies",
    body: new URLSearchParams({ name: "x" }),
    status: 415,
    json: { code: "unsupported_media_type" }
  },
  {
    send: "POST /v1/strategies",
    headers: { "content-type": "text/plain" },
    body: JSON.stringify(draft),
    status: 415
  },
  { send: "POST /v1/strategies", headers: { "content-type": "application/jsonp" }, body: "{}", status: 415 },
  { send: "PUT /v1/strategies/9", body: new URLSearchParams({ name: "x" }), status: 415 },
  {
    send: "POST /v1/strategies",
    headers: { "content-type": "Application/JSON; charset=utf-8" },
    body: JSON.stringify(draft),
    status: 201
  },
  { send: "POST /v1/strategies", headers: json, body: "{", status: 400, json: { code: "malformed_body" } },
  { send: "POST /v1/strategies", headers: json, body: "", status: 400 },
  { send: "POST /v1/strategies", headers: json, body: "[]", status: 400 },
  { send: "POST /v1/strategies", headers: json, body: "null", status: 400 },
  {
    send: "POST /v1/strategies",
    headers: json,
    body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    status: 400
  },
  { send: "POST /v1/strategies", headers: json, body: "[".repeat(60_000), status: 400 },
  {
    send: "POST /v1/strategies",
    headers: json,
    body: `{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
    status: 422
  },
  {
    send: "POST /v1/strategies",
    body: {
      ...draft,
      buy_percentage: "10",
      active: 1,
      exchanges: [{ exchange_name: "mtgox", coin_pairs: ["BTCUSDT"] }]
    },
    status: 422,
    not: ["mtgox", "BTCUSDT"],
    json: { errors: { buy_percentage: ["must be a number"], active: ["must be true or false"] } }
  },
  {
    send: "POST /v1/strategies",
    body: { ...draft, stop_loss_enabled: true },
    status: 422,
    json: { errors: { stop_loss: ["send this setting as stop_loss, not as stop_loss_enabled"] } }
  },
  {
    send: "POST /v1/strategies",
    headers: json,
    body: JSON.stringify(draft).replace("10", "1e999"),
    status: 422
  },
  {
    send: "POST /v1/strategies",
    headers: json,
    body: `{"__proto__":{"name":"x"},"constructor":1}`,
    status: 422
  },
  { send: "PUT /v1/strategies/1", body: { strategy_dca_switch: true }, status: 422 },
  { send: "PUT /v1/strategies/99", body: { buy_percentage: 101 }, status: 404 }
])

scenario("fields that no strategy has are ignored, as the interface promises", [
  { send: "POST /v1/strategies", body: { ...draft, stop_los: true, colour: 1 }, status: 201 },
  {
    send: "PUT /v1/strategies/1",
    body: { stop_los: true, name: "other" },
    status: 200,
    json: { name: "other" }
  },
  { send: "GET /v1/strategies/1", status: 200, json: { stop_loss_enabled: false, name: "other" } }
])

scenario("an idempotency key makes a creation act once", [
  {
    send: "POST /v1/strategies",
    headers: { "idempotency-key": "k" },
    body: draft,
    status: 201,
    json: { strategy_id: 1 }
  },
  {
    send: "POST /v1/strategies",
    headers: { "idempotency-key": "k" },
    body: draft,
    status: 201,
    json: { strategy_id: 1 }
  },
  {
    send: "POST /v1/strategies",
    headers: { "idempotency-key": "k" },
    body: { ...draft, name: "x" },
    status: 422
  },
  { send: "POST /v1/signals", headers: { "idempotency-key": "k" }, body: draft, status: 422 },
  {
    send: "GET /v1/strategies?limit=1",
    status: 200,
    json: { data: [{ strategy_id: 1 }] },
    gives: { link: null }
  }
])
