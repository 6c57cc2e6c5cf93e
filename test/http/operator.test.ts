// The operator's routes: exchanges, markets and backups.
import { expect } from "bun:test"
import { scenario } from "../lib/http.ts"

const errors = (...fields: ReadonlyArray<string>) => ({
  code: "invalid_request",
  errors: Object.fromEntries(fields.map((field) => [field, [expect.any(String)]]))
})
const flawed = (
  path: string,
  cases: ReadonlyArray<readonly [object, ReadonlyArray<string>]>,
  method = "PUT"
) =>
  cases.map(([body, fields]) => ({ send: `${method} ${path}`, body, status: 422, json: errors(...fields) }))

const btc = { exchange: "binance", pair: "BTC/USDT" }
const markets = "/v1/dashboard/markets"
const refreshes = "/v1/dashboard/markets/refreshes"

scenario("anybody may read the operator's switches, and only the operator may change them", [
  { send: "GET /v1/dashboard/exchanges", as: "none", status: 401 },
  { send: "GET /v1/dashboard/exchanges", as: "hook", status: 403 },
  {
    send: "GET /v1/dashboard/exchanges",
    as: "bob",
    status: 200,
    json: {
      data: [
        {
          name: "binance",
          active: true,
          maker_fee: 0.1,
          taker_fee: 0.1,
          markets: expect.any(Number),
          refreshed_at: null,
          shipped_on: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/)
        },
        { name: "bybit" },
        { name: "okx" },
        { name: "kraken" },
        { name: "coinbase" },
        { name: "kucoin" },
        { name: "bitget" }
      ]
    }
  },
  {
    send: `GET ${markets}?exchange=binance&search=btc/usdt&limit=2`,
    as: "bob",
    status: 200,
    json: {
      data: [
        {
          ...btc,
          kind: "spot",
          active: true,
          buy_enabled: true,
          price_step: 0.01,
          amount_step: 0.00001,
          min_amount: expect.any(Number),
          min_cost: expect.any(Number)
        },
        { ...btc, kind: "swap" }
      ],
      total: 4
    }
  },
  {
    send: `GET ${markets}?search=BTC%2FUSDT&limit=1`,
    status: 200,
    json: { data: [btc], total: expect.any(Number) }
  },
  { send: `GET ${markets}?search=NOSUCHPAIR`, status: 200, is: { data: [], total: 0 } },
  {
    send: `GET ${markets}?exchange=&search=&limit=`,
    status: 200,
    json: { data: expect.arrayContaining([expect.objectContaining({ exchange: "binance" })]) }
  },
  {
    send: `GET ${markets}?exchange=mtgox&limit=501&search=${"x".repeat(42)}`,
    status: 422,
    json: errors("exchange", "limit", "search"),
    not: ["mtgox"]
  },
  { send: `GET ${markets}?limit=1&limit=2`, status: 422, json: errors("limit") },
  // Other accounts may only read.
  ...[
    "PUT /v1/dashboard/exchange",
    "PUT /v1/dashboard/market",
    "GET /v1/dashboard/markets/refreshes",
    "POST /v1/dashboard/markets/refreshes",
    "POST /v1/dashboard/backup"
  ].flatMap((send) => [
    { send, as: "none" as const, body: {}, status: 401 },
    { send, as: "hook" as const, body: {}, status: 403 },
    {
      send,
      as: "bob" as const,
      body: {},
      status: 403,
      json: { message: "this is the operator's: the account that was made first on this server" }
    }
  ]),
  // A server in memory refreshes nothing, and says so.
  { send: `GET ${refreshes}`, status: 200, is: { is_on: false, data: [] } },
  { send: `POST ${refreshes}`, body: {}, status: 200, is: { is_on: false, data: [] } },
  ...flawed(refreshes, [[{ exchange: "mtgox" }, ["exchange"]]], "POST"),
  { send: `POST ${refreshes}`, body: [], status: 400 },
  {
    send: "PUT /v1/dashboard/exchange",
    body: { name: "kraken", active: false },
    status: 200,
    json: { name: "kraken", active: false }
  },
  {
    send: "GET /v1/dashboard/exchanges",
    status: 200,
    json: { data: [{}, {}, {}, { name: "kraken", active: false }, {}, {}, {}] }
  },
  {
    send: "PUT /v1/dashboard/exchange",
    body: { name: "kraken", active: true },
    status: 200,
    json: { name: "kraken", active: true }
  },
  {
    send: "PUT /v1/dashboard/market",
    body: { ...btc, buy_enabled: false },
    status: 200,
    json: {
      data: [
        { ...btc, kind: "spot", active: true, buy_enabled: false },
        { ...btc, kind: "swap", active: true, buy_enabled: false }
      ],
      total: 2
    }
  },
  {
    send: "PUT /v1/dashboard/market",
    body: { ...btc, pair: "btc/usdt", kind: "swap", active: false, buy_enabled: true },
    status: 200,
    json: { data: [{ ...btc, kind: "swap", active: false, buy_enabled: true }], total: 1 }
  },
  {
    send: `GET ${markets}?exchange=binance&search=BTC/USDT&limit=2`,
    status: 200,
    json: {
      data: [
        { kind: "spot", active: true, buy_enabled: false },
        { kind: "swap", active: false, buy_enabled: true }
      ]
    }
  },
  {
    send: "PUT /v1/dashboard/market",
    body: { ...btc, pair: "NO/PE", active: false },
    status: 404,
    json: { code: "not_found", message: "there is no spot market NO/PE on binance" }
  },
  ...flawed("/v1/dashboard/exchange", [
    [{}, ["name", "active"]],
    [{ name: "mtgox", active: "1" }, ["name", "active"]]
  ]),
  ...flawed("/v1/dashboard/market", [
    [{}, ["exchange", "pair", "active"]],
    [btc, ["active"]],
    [{ ...btc, active: 1, buy_enabled: "no", kind: "future" }, ["active", "buy_enabled", "kind"]],
    [{ ...btc, pair: "BTC", active: true }, ["pair"]]
  ]),
  { send: "PUT /v1/dashboard/exchange", body: [], status: 400 },
  {
    send: "POST /v1/dashboard/backup",
    status: 409,
    json: {
      code: "backup_nothing",
      message: "this server keeps nothing on disk: there is nothing to back up"
    }
  }
])
