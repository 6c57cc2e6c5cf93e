// The routes of trading with real money: accounts, arming, orders and the halt.
import { expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { SESSION_PATH } from "../../src/api/Sessions.ts"
import { scenario } from "../lib/http.ts"
import { KEYS, REFUSED } from "../lib/live.ts"
import { start } from "../lib/server.ts"

const strategy = {
  name: "dip",
  description: "buys dips",
  active: true,
  public: true,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 10,
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
}
const made = [
  { send: "POST /v1/strategies", body: strategy, status: 201 },
  { send: "POST /v1/strategies", as: "bob", body: strategy, status: 201 },
  { send: "POST /v1/strategies", body: strategy, status: 201 },
  { send: "DELETE /v1/strategies/3", status: 200 }
] as const
const terms = { account: 1, capital: 1000, max_order: 100, max_daily_loss: 50 }
const PAPER = { mode: "paper", armed: null, astray: [], confirmation: null }
const clientId = (id: string) =>
  createHash("sha256").update(`00112233aabbccdd:${id}`).digest("hex").slice(0, 32)
const errors = (...fields: ReadonlyArray<string>) => ({
  code: "invalid_request",
  errors: Object.fromEntries(fields.map((field) => [field, [expect.any(String)]]))
})

const main = { id: 1, name: "main", exchange: "binance", sandbox: false, checked_at: null, problem: null }

scenario("exchange accounts are listed, checked and removed without showing their keys", [
  {
    send: "GET /v1/exchange-accounts",
    status: 200,
    is: {
      data: [
        { ...main, created_at: expect.any(Number), strategies: [] },
        expect.objectContaining({ id: 2, name: "sand", exchange: "okx", sandbox: true }),
        expect.objectContaining({ id: 4, name: "old" })
      ]
    },
    not: KEYS
  },
  { send: "GET /v1/exchange-accounts", as: "bob", status: 200, json: { data: [{ id: 3, name: "his" }] } },
  {
    send: "POST /v1/exchange-accounts/1/check",
    status: 200,
    json: { ...main, checked_at: expect.any(Number), strategies: [] },
    not: KEYS
  },
  {
    send: "POST /v1/exchange-accounts/2/check",
    status: 200,
    json: { id: 2, problem: "okx did not answer", checked_at: expect.any(Number) },
    not: KEYS
  },
  {
    send: "POST /v1/exchange-accounts/4/check",
    status: 200,
    json: { problem: expect.stringContaining("this key may withdraw") }
  },
  {
    send: "POST /v1/exchange-accounts/3/check",
    as: "bob",
    status: 200,
    json: { problem: expect.stringContaining("this key may not trade") }
  },
  { send: "GET /v1/exchange-accounts", status: 200, json: { data: [{ problem: null }, { id: 2 }, {}] } },
  // An account that a strategy trades with cannot be removed.
  ...made,
  {
    send: "POST /v1/strategies/1/arming",
    body: terms,
    status: 200,
    json: { confirmation: { token: "agreed-0" } }
  },
  { send: "DELETE /v1/exchange-accounts/4", status: 200, json: { type: "success" } },
  { send: "POST /v1/strategies/1/arming", body: { ...terms, confirmation: "agreed-0" }, status: 200 },
  { send: "GET /v1/exchange-accounts", status: 200, json: { data: [{ id: 1, strategies: [1] }, { id: 2 }] } },
  {
    send: "DELETE /v1/exchange-accounts/1",
    status: 409,
    json: { code: "exchange_account_in_use", message: expect.stringContaining("strategy 1 trades with it") }
  },
  { send: "DELETE /v1/exchange-accounts/2", status: 200, json: { type: "success" } },
  { send: "DELETE /v1/exchange-accounts/2", status: 404, json: { code: "not_found" } },
  { send: "PUT /v1/exchange-accounts/1", body: {}, status: 405, gives: { allow: "DELETE, OPTIONS" } },
  { send: "GET /v1/exchange-accounts/1/check", status: 405, gives: { allow: "POST, OPTIONS" } },
  { send: "POST /v1/exchange-accounts", body: {}, status: 405, gives: { allow: "GET, HEAD, OPTIONS" } }
])

scenario("arming takes two requests: terms, then their confirmation", [
  ...made,
  { send: "GET /v1/strategies/1/arming", status: 200, is: PAPER },
  {
    send: "POST /v1/strategies/1/arming",
    body: { ...terms, note: "fields that are not known do no harm" },
    status: 200,
    is: {
      ...PAPER,
      confirmation: {
        token: "agreed-0",
        expires_at: 1_767_571_200,
        statement: "with 1000 USDT",
        warnings: ["mind the fees"]
      }
    }
  },
  // The refused request changed nothing.
  { send: "GET /v1/strategies/1/arming", status: 200, is: PAPER },
  {
    send: "POST /v1/strategies/1/arming",
    body: { ...terms, confirmation: "agreed-7" },
    status: 422,
    json: { code: "confirmation_needed", errors: { confirmation: ["ask for it again"] } },
    not: ["agreed-7"]
  },
  {
    send: "POST /v1/strategies/1/arming",
    body: { ...terms, capital: 0.1, max_order: 1e-8, protective_stop: true, confirmation: "agreed-0" },
    status: 200,
    is: {
      mode: "live",
      armed: {
        account: 1,
        account_name: "main",
        exchange: "binance",
        sandbox: false,
        capital: 0.1,
        max_order: 1e-8,
        max_daily_loss: 50,
        protective_stop: true,
        armed_at: 1_767_571_200,
        lost_today: -1.12345679,
        stopped_today: false
      },
      astray: ["binance BTC/USDT spot"],
      confirmation: null
    },
    not: [...KEYS, "secret-tag"]
  },
  {
    send: "POST /v1/strategies/1/arming",
    body: { ...terms, confirmation: "agreed-0" },
    status: 422,
    json: { code: "confirmation_needed" }
  },
  { send: "GET /v1/strategies/1/arming", status: 200, json: { mode: "live", confirmation: null } },
  { send: "DELETE /v1/strategies/1/arming?close=0", status: 200, json: { mode: "leaving" } },
  { send: "DELETE /v1/strategies/1/arming?close=1", status: 200, is: PAPER },
  {
    send: "DELETE /v1/strategies/1/arming",
    status: 409,
    json: { code: "not_armed", message: "it is on paper already", errors: {} }
  },
  {
    send: "DELETE /v1/strategies/1/arming?close=yes&forget=yes",
    status: 422,
    json: errors("close", "forget")
  },
  { send: "DELETE /v1/strategies/1/arming?close=1&close=1", status: 422 },
  { send: "PUT /v1/strategies/1/arming", body: terms, status: 405, gives: { allow: /GET.*POST.*DELETE/ } }
])

const field: Readonly<Record<string, string>> = {
  "422.5": "capital",
  "422.6": "max_order",
  "422.7": "capital"
}
scenario("a refused arming has its code and names the field", [
  ...made,
  ...Object.entries(REFUSED).map(([capital, [code, message]]) => {
    const status = Math.floor(Number(capital))
    const about = field[capital] ?? "account"
    return {
      send: "POST /v1/strategies/1/arming",
      body: { ...terms, capital: Number(capital) },
      status,
      json: { code, message, errors: status === 409 ? {} : { [about]: [message] } }
    }
  }),
  { send: "GET /v1/strategies/1/arming", status: 200, is: PAPER }
])

const hostile: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
  [{}, ["account", "capital", "max_order", "max_daily_loss"]],
  [{ ...terms, account: "1" }, ["account"]],
  [{ ...terms, account: 0 }, ["account"]],
  [{ ...terms, account: -1 }, ["account"]],
  [{ ...terms, account: 1.5 }, ["account"]],
  [{ ...terms, account: 2 ** 53 }, ["account"]],
  [{ ...terms, account: [1] }, ["account"]],
  [{ ...terms, account: null, capital: null }, ["account", "capital"]],
  ...["10", "", "1e3", true, [10], { value: 10 }, 0, -0, -1, 1e-9, 1.0000001e15, 1e308].map(
    (value) => [{ ...terms, capital: value }, ["capital"]] as const
  ),
  [{ ...terms, max_order: "100", max_daily_loss: "50" }, ["max_order", "max_daily_loss"]],
  [{ ...terms, max_order: -100, protective_stop: 1 }, ["max_order", "protective_stop"]],
  [{ ...terms, protective_stop: "true" }, ["protective_stop"]],
  [{ ...terms, protective_stop: null }, ["protective_stop"]],
  [{ ...terms, confirmation: "" }, ["confirmation"]],
  [{ ...terms, confirmation: 1 }, ["confirmation"]],
  [{ ...terms, confirmation: null }, ["confirmation"]],
  [{ ...terms, confirmation: "x".repeat(201) }, ["confirmation"]]
]
const path = "/v1/strategies/1/arming"
const json = { "content-type": "application/json" }
scenario("malformed terms are refused by field, and none of them is echoed", [
  ...made,
  ...hostile.map(([body, fields]) => ({
    send: `POST ${path}`,
    body,
    status: 422,
    json: errors(...fields),
    not: ["1e308", "xxx"]
  })),
  // A number too large for a double is invalid, and NaN is not JSON.
  {
    send: `POST ${path}`,
    headers: json,
    body: '{"account":1,"capital":1e999,"max_order":1,"max_daily_loss":1}',
    status: 422,
    json: errors("capital")
  },
  { send: `POST ${path}`, headers: json, body: '{"account":1,"capital":NaN}', status: 400 },
  { send: `POST ${path}`, headers: json, body: "[]", status: 400 },
  { send: `POST ${path}`, headers: json, body: "", status: 400 },
  { send: `POST ${path}`, headers: { "content-type": "text/plain" }, body: "{}", status: 415 },
  { send: `POST ${path}`, body: new URLSearchParams({ account: "1" }), status: 415 },
  { send: `POST ${path}`, headers: json, body: `{"a":"${"x".repeat(65_536)}"}`, status: 413 },
  // A foreign id is reported before an invalid body.
  { send: "POST /v1/strategies/2/arming", body: {}, status: 404, json: { code: "not_found" } },
  { send: `GET ${path}`, status: 200, is: PAPER }
])

const stop = {
  id: "1-3-0",
  sequence: 3,
  type: "stop",
  side: "sell",
  purpose: "exit",
  price: 58_000,
  status: "accepted",
  live: true,
  filled: 0,
  fills: []
}
scenario("orders are listed newest first", [
  ...made,
  {
    send: "GET /v1/strategies/1/orders",
    status: 200,
    json: {
      data: [
        { ...stop, client_id: clientId("1-3-0") },
        {
          id: "1-2-0",
          live: true,
          client_id: clientId("1-2-0"),
          status: "partly_filled",
          filled: 0.1,
          fills: [{ id: "1", at: 1_767_571_201, fee: 6.00001, fee_asset: "BTC", fee_amount: 0.0001 }]
        },
        {
          id: "1-1-0",
          sequence: 1,
          exchange: "binance",
          pair: "BTC/USDT",
          kind: "spot",
          live: false,
          client_id: null,
          quantity: 0.1,
          price: 60_000.1,
          at: 1,
          fills: [{ at: 1_767_571_200, fee: 6.00001, fee_asset: "USDT", fee_amount: 6.00001 }]
        }
      ]
    },
    not: ["00112233aabbccdd", ...KEYS]
  },
  {
    send: "GET /v1/strategies/1/orders?limit=1",
    status: 200,
    json: { data: [stop] },
    gives: { link: '</v1/strategies/1/orders?limit=1&cursor=Mw>; rel="next"' }
  },
  {
    send: "GET /v1/strategies/1/orders?limit=2&cursor=Mw",
    status: 200,
    json: { data: [{ id: "1-2-0" }, { id: "1-1-0" }] },
    gives: { link: null }
  },
  { send: "GET /v1/strategies/2/orders", as: "bob", status: 200, is: { data: [] } },
  { send: "GET /v1/strategies/2/orders?limit=0", status: 404 },
  {
    send: "GET /v1/strategies/1/orders?limit=501&cursor=x",
    status: 422,
    json: errors("limit", "cursor")
  },
  { send: "POST /v1/strategies/1/orders", body: {}, status: 405, gives: { allow: "GET, HEAD, OPTIONS" } }
])

const FREE = { halted: false, everybody: false, since: null, cause: null, text: null }
const HALTED = {
  halted: true,
  everybody: false,
  since: expect.any(Number),
  cause: "request",
  text: "by hand"
}
scenario("an account halts and resumes only itself, and twice is the same as once", [
  { send: "GET /v1/halt", status: 200, is: FREE },
  { send: "DELETE /v1/halt", status: 200, is: FREE },
  { send: "POST /v1/halt", as: "bob", status: 200, is: HALTED },
  { send: "POST /v1/halt", as: "bob", status: 200, is: HALTED },
  { send: "GET /v1/halt", as: "bob", status: 200, is: HALTED },
  { send: "GET /v1/halt", status: 200, is: FREE },
  { send: "DELETE /v1/halt", as: "bob", status: 200, is: FREE },
  { send: "DELETE /v1/halt", as: "bob", status: 200, is: FREE },
  { send: "PATCH /v1/halt", as: "bob", status: 405 }
])

const OWN = ["1", "3", "5", "0", "-1", "1e3", "01", "9007199254740992", "%00", "[1]", "x".repeat(300)]
const everything = (id: string) => [
  { send: `POST /v1/exchange-accounts/${id}/check` },
  { send: `DELETE /v1/exchange-accounts/${id}` },
  { send: `GET /v1/strategies/${id}/arming` },
  { send: `POST /v1/strategies/${id}/arming`, body: terms },
  { send: `DELETE /v1/strategies/${id}/arming` },
  { send: `GET /v1/strategies/${id}/orders` }
]
scenario("a foreign, removed, missing or malformed id answers 404 alike", [
  ...made,
  ...OWN.flatMap((id) =>
    everything(id).map((row) => ({
      ...row,
      as: "bob" as const,
      id,
      status: 404,
      json: { code: "not_found" }
    }))
  ).filter(({ id, send }) => !(id === "3" && send.includes("exchange-accounts")))
])

scenario("a token for alerts is forbidden everything about real money, and no token is unauthorized", [
  ...[
    ...everything("1"),
    { send: "GET /v1/exchange-accounts" },
    { send: "GET /v1/halt" },
    { send: "POST /v1/halt" },
    { send: "DELETE /v1/halt" }
  ].flatMap((row) => [
    { ...row, as: "hook" as const, status: 403, json: { code: "forbidden" } },
    { ...row, as: "none" as const, status: 401, json: { code: "unauthorized" } }
  ]),
  { send: "GET /v1/halt", status: 200, is: FREE }
])

test("a halt of everybody binds each account, and only the operator ends it", async () => {
  const server = await start()
  const call = async (method: string, token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await server.fetch("/v1/halt", { method, headers })
    return { status: response.status, json: await response.json() }
  }
  await server.halt("restored")
  for (const token of [server.ann, server.bob])
    expect((await call("GET", token)).json).toMatchObject({
      halted: true,
      everybody: true,
      cause: "restored",
      text: "restored"
    })
  expect((await call("POST", server.bob)).json).toMatchObject({ everybody: true })
  expect(await call("DELETE", server.bob)).toMatchObject({ status: 409, json: { code: "still_halted" } })
  expect((await call("GET", server.ann)).json).toMatchObject({ halted: true })
  expect(await call("DELETE", server.ann)).toEqual({ status: 200, json: FREE })
  // Bob's request ended only his own halt.
  expect(await call("DELETE", server.bob)).toEqual({ status: 200, json: FREE })
  await server.stop()
})

test("a halt is counted in the metrics, and is an event of each account that it binds", async () => {
  const server = await start()
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  for (const method of ["POST", "POST", "DELETE", "DELETE", "POST"])
    await server.fetch("/v1/halt", { method, ...as(server.bob) })
  const text = await (await server.fetch("/metrics", as(server.ann))).text()
  expect(text).toContain('signalbox_halted{scope="everybody"} 0\nsignalbox_halted{scope="account"} 1\n')
  expect(text).not.toContain("signalbox_armed_strategies 0")
  expect(await server.told("bob")).toEqual([
    ["live", "halted", "Entries are halted: by hand. Exits go on."],
    ["live", "resumed", "The halt of entries has ended."],
    ["live", "halted", "Entries are halted: by hand. Exits go on."]
  ])
  expect(await server.told("ann")).toEqual([])
  await server.stop()
})

test("a session may halt and arm only from the server's own pages", async () => {
  const server = await start()
  const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const init: RequestInit = { method, headers }
    if (body !== undefined) init.body = JSON.stringify(body)
    const request = new Request(`http://localhost${path}`, init)
    return server.edge.handle(
      request,
      () => "203.0.113.1",
      () => false
    )
  }
  const origin = "http://localhost"
  const signedIn = await send("POST", SESSION_PATH, { origin }, { token: server.ann })
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
  expect((await send("GET", "/v1/halt", { cookie })).status).toBe(200)
  for (const [method, path] of [
    ["POST", "/v1/halt"],
    ["DELETE", "/v1/halt"],
    ["POST", "/v1/strategies/1/arming"],
    ["DELETE", "/v1/strategies/1/arming"],
    ["POST", "/v1/exchange-accounts/1/check"],
    ["DELETE", "/v1/exchange-accounts/1"]
  ] as const) {
    const elsewhere = await send(method, path, { cookie, origin: "https://evil.example" })
    expect([method, path, elsewhere.status]).toEqual([method, path, 403])
    expect([method, path, (await send(method, path, { cookie })).status]).toEqual([method, path, 403])
  }
  expect((await send("POST", "/v1/halt", { cookie, origin })).status).toBe(200)
  await server.stop()
})
