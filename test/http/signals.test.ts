// The routes of signals.
import { scenario } from "../lib/http.ts"

const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const whole = { name: "trend", description: "", active: "1", public: "0" }
const emoji = "😀".repeat(35)
const multipart = (given = "parts") => {
  const data = new FormData()
  for (const [name, value] of Object.entries({ ...whole, name: given })) data.set(name, value)
  return data
}

scenario("signals are created, read, changed and deleted", [
  { send: "GET /v1/signals", status: 200, text: `{"data":[]}` },
  {
    send: "POST /v1/signals",
    body: form(whole),
    status: 201,
    gives: { location: "/v1/signals/1", "content-type": "application/json" },
    json: { id: 1, name: "trend", description: "", active: true, public: false }
  },
  {
    send: "POST /v1/signals",
    body: { ...whole, active: true, public: 1 },
    status: 201,
    json: { id: 2, public: true }
  },
  { send: "POST /v1/signals", body: multipart(), status: 201, json: { id: 3, name: "parts" } },
  // The runtime drops a byte order mark, which would change the name.
  { send: "POST /v1/signals", body: multipart("\ufeffparts"), status: 400, json: { code: "malformed_body" } },
  {
    send: "POST /v1/signals",
    body: form({ ...whole, name: emoji }),
    status: 201,
    json: { id: 4, name: emoji }
  },
  { send: "GET /v1/signals/1", status: 200, json: { id: 1, active: true } },
  { send: "GET /v1/signals/1?limit=x", status: 200 },
  {
    send: "PUT /v1/signals/1",
    body: form({ active: "0" }),
    status: 200,
    json: { id: 1, active: false, name: "trend" }
  },
  {
    send: "PUT /v1/signals/1",
    body: { description: "new" },
    status: 200,
    json: { active: false, description: "new" }
  },
  { send: "PUT /v1/signals/1", status: 200, json: { description: "new" } },
  { send: "DELETE /v1/signals/1", status: 200, is: { type: "success", message: "the signal is deleted" } },
  { send: "DELETE /v1/signals/1", status: 404, json: { code: "not_found" } },
  { send: "GET /v1/signals/1", status: 404 }
])

scenario("an invalid signal is refused with all its errors at once, and nothing of it is echoed", [
  {
    send: "POST /v1/signals",
    body: form({ name: "x".repeat(36), active: "yes", public: "2" }),
    status: 422,
    not: ["xxxx", "yes"],
    json: {
      code: "invalid_request",
      errors: {
        name: ["must be at most 35 characters"],
        description: ["is required"],
        active: ["must be 1 or 0"],
        public: ["must be 1 or 0"]
      }
    }
  },
  {
    send: "POST /v1/signals",
    body: { name: 5, description: null, active: "1", public: 2 },
    status: 422,
    json: {
      errors: {
        name: ["must be a text"],
        description: ["must be a text"],
        active: ["must be true or false"],
        public: ["must be true or false"]
      }
    }
  },
  {
    send: "POST /v1/signals",
    body: form({ ...whole, name: "" }),
    status: 422,
    json: { errors: { name: ["must not be empty"] } }
  },
  { send: "POST /v1/signals", body: form({ ...whole, name: `${emoji}x` }), status: 422 },
  {
    send: "POST /v1/signals",
    body: { ...whole, active: true, public: false, name: "a\u0000b" },
    status: 422
  },
  {
    send: "POST /v1/signals",
    headers: { "content-type": "application/json" },
    body: String.raw`{"name":"\ud800","description":"","active":true,"public":false}`,
    status: 422
  },
  {
    send: "POST /v1/signals",
    body: "name=a&name=b&description=&active=1&public=0",
    status: 422,
    json: { errors: { name: ["must be a text"] } }
  },
  {
    send: "POST /v1/signals",
    body: { ...whole, active: true, public: false, id: 77, created_at: 1, account: 9, __proto__x: 1 },
    status: 201,
    json: { id: 1 }
  },
  {
    send: "PUT /v1/signals/1",
    body: { name: "", active: 5 },
    status: 422,
    json: { errors: { name: ["must not be empty"], active: ["must be true or false"] } }
  },
  { send: "PUT /v1/signals/99", body: { name: "" }, status: 404 },
  { send: "PUT /v1/signals/99", body: { name: "fine" }, status: 404 },
  { send: "PUT /v1/signals/99", headers: { "content-type": "application/json" }, body: "{", status: 400 }
])

const rule = {
  markets: [{ exchange: "binance", kind: "spot", pairs: ["BTC/USDT"] }],
  timeframe: "1h",
  params: { n: 14 },
  on: [{ type: "buy", when: "rsi(close, n) < 30", sl: "close * 0.9" }],
  schedule: []
}
const ruled = { name: "own", description: "", active: true, public: true, display_name: "Ann", rule }
const shown = { rule, has_rule: true, rule_version: 1 }

scenario("a rule is read by its owner only, and others see that there is one", [
  { send: "POST /v1/signals", body: ruled, status: 201, json: { id: 1, ...shown } },
  { send: "GET /v1/signals/1", status: 200, json: shown },
  { send: "GET /v1/signals", status: 200, json: { data: [{ has_rule: true }] }, not: ["rsi"] },
  { send: "GET /v1/dashboard/signals/1", status: 200, json: shown },
  { send: "GET /v1/dashboard/signals", status: 200, not: ["rsi"] },
  ...["/v1/signals/1", "/v1/dashboard/signals/1", "/v1/public/signals/1"].map(
    (path) =>
      ({
        send: `GET ${path}`,
        as: "bob",
        status: 200,
        json: { has_rule: true },
        not: ["rsi", "rule_version", "timeframe"]
      }) as const
  ),
  {
    send: "GET /v1/public/signals",
    as: "bob",
    status: 200,
    json: { data: [{ has_rule: true }] },
    not: ["rsi"]
  },
  { send: "PUT /v1/signals/1", as: "bob", body: { rule: null }, status: 404 },
  { send: "PUT /v1/signals/1", body: { name: "other" }, status: 200, json: shown },
  {
    send: "PUT /v1/signals/1",
    body: form({ rule: JSON.stringify({ ...rule, timeframe: "4h" }) }),
    status: 200,
    json: { rule: { ...rule, timeframe: "4h" }, rule_version: 2 }
  },
  { send: "PUT /v1/signals/1", body: form({ rule: "" }), status: 200, not: ["rule"] },
  { send: "PUT /v1/signals/1", body: { rule }, status: 200, json: { rule_version: 3 } },
  { send: "PUT /v1/signals/1", body: { rule: null }, status: 200, not: ["rule"] },
  { send: "POST /v1/signals", body: { ...ruled, rule: null }, status: 201, not: ["rule"] }
])

scenario("a rule is refused with its field and column, together with the signal's other errors", [
  {
    send: "POST /v1/signals",
    body: { ...ruled, name: "", rule: { ...rule, on: [{ type: "buy", when: "sEcReT > 1", tp: "close +" }] } },
    status: 422,
    not: ["sEcReT"],
    json: {
      errors: {
        name: ["must not be empty"],
        rule: [
          "on[0].when: column 1: expected a price, a parameter or a function",
          "on[0].tp: column 8: expected a number, a name or ("
        ]
      }
    }
  },
  {
    send: "POST /v1/signals",
    body: form({ ...whole, rule: "{" }),
    status: 422,
    json: { errors: { rule: ["must be a rule as JSON text"] } }
  },
  {
    send: "POST /v1/signals",
    body: { ...ruled, rule: JSON.stringify(rule) },
    status: 422,
    json: { errors: { rule: ["must be an object with markets, timeframe and on"] } }
  },
  { send: "GET /v1/signals", status: 200, text: `{"data":[]}` }
])

const ids = [
  "0",
  "01",
  "-1",
  "+1",
  "1e3",
  "1.0",
  "%31x",
  "9007199254740992",
  "abc",
  "x".repeat(300),
  "1%00",
  "%zz"
]
scenario("a malformed id answers like a missing record", [
  { send: "POST /v1/signals", body: form(whole), status: 201 },
  ...ids.flatMap((id) => [
    {
      send: `GET /v1/signals/${id}`,
      status: 404,
      json: { code: "not_found", message: "there is no such signal" },
      not: [id.length > 2 ? id : "\u0001"]
    },
    { send: `DELETE /v1/signals/${id}`, status: 404 },
    { send: `GET /v1/strategies/${id}`, status: 404 },
    { send: `GET /v1/alerts/${id}`, status: 404 },
    { send: `GET /v1/strategies/${id}/timeline`, status: 404 }
  ]),
  { send: "GET /v1/signals/1", status: 200 }
])

scenario("accounts do not see each other's private signals", [
  { send: "POST /v1/signals", body: form({ ...whole, name: "private" }), status: 201 },
  { send: "POST /v1/signals", body: form({ ...whole, name: "public", public: "1" }), status: 201 },
  { send: "GET /v1/signals", as: "bob", status: 200, text: `{"data":[]}` },
  {
    send: "GET /v1/signals/1",
    as: "bob",
    status: 404,
    json: { message: "there is no such signal" },
    not: ["private"]
  },
  { send: "GET /v1/signals/2", as: "bob", status: 200, json: { name: "public" } },
  { send: "PUT /v1/signals/2", as: "bob", body: { name: "mine" }, status: 404 },
  { send: "PUT /v1/signals/2", as: "bob", body: { name: "" }, status: 404 },
  { send: "DELETE /v1/signals/2", as: "bob", status: 404 },
  { send: "GET /v1/signals/2", status: 200, json: { name: "public" } }
])

scenario("signals are listed in pages", [
  ...["a", "b", "c"].map((name) => ({
    send: "POST /v1/signals",
    body: form({ ...whole, name }),
    status: 201
  })),
  {
    send: "GET /v1/signals",
    status: 200,
    gives: { link: null },
    json: { data: [{ id: 1 }, { id: 2 }, { id: 3 }] }
  },
  {
    send: "GET /v1/signals?limit=2",
    status: 200,
    gives: { link: `</v1/signals?limit=2&cursor=Mg>; rel="next"` },
    json: { data: [{ id: 1 }, { id: 2 }] }
  },
  {
    send: "GET /v1/signals?limit=2&cursor=Mg",
    status: 200,
    gives: { link: null },
    json: { data: [{ id: 3 }] }
  },
  { send: "GET /v1/signals?cursor=MQ", status: 200, json: { data: [{ id: 2 }, { id: 3 }] } },
  { send: "GET /v1/signals?limit=3", status: 200, gives: { link: null } },
  ...["0", "501", "x", "1e2", "-1", "", "1&limit=2"].map((limit) => ({
    send: `GET /v1/signals?limit=${limit}`,
    status: 422,
    json: { errors: { limit: ["must be a whole number from 1 to 500"] } }
  })),
  ...["x", "MDE", "Mg==", "LTE", "", "Mg&cursor=Mg", "é"].map((cursor) => ({
    send: `GET /v1/signals?cursor=${cursor}`,
    status: 422,
    json: { errors: { cursor: ["must be one that the Link header of an answer held"] } }
  })),
  {
    send: "GET /v1/signals?cursor=x&limit=0",
    status: 422,
    json: { message: "cursor must be one that the Link header of an answer held (and 1 more)" }
  }
])

scenario("an idempotency key makes a creation act once", [
  {
    send: "POST /v1/signals",
    headers: { "Idempotency-Key": "k1" },
    body: form(whole),
    status: 201,
    json: { id: 1 }
  },
  {
    send: "POST /v1/signals",
    headers: { "Idempotency-Key": "k1" },
    body: form(whole),
    status: 201,
    json: { id: 1 },
    gives: { location: "/v1/signals/1" }
  },
  {
    send: "POST /v1/signals",
    headers: { "Idempotency-Key": "k1" },
    body: form({ ...whole, name: "other" }),
    status: 422,
    json: { code: "idempotency_key_reused" }
  },
  {
    send: "POST /v1/signals",
    as: "bob",
    headers: { "Idempotency-Key": "k1" },
    body: form(whole),
    status: 201
  },
  { send: "POST /v1/signals", headers: { "Idempotency-Key": "k2" }, body: form({ name: "" }), status: 422 },
  {
    send: "POST /v1/signals",
    headers: { "Idempotency-Key": "k2" },
    body: form(whole),
    status: 201,
    json: { id: 3 }
  },
  {
    send: "POST /v1/signals",
    headers: { "Idempotency-Key": "k".repeat(256) },
    body: form(whole),
    status: 422
  },
  {
    send: "POST /v1/signals",
    headers: { "Idempotency-Key": "a b" },
    body: form(whole),
    status: 422,
    not: ["a b"]
  },
  {
    send: "POST /v1/signals",
    headers: { "Idempotency-Key": "k".repeat(255) },
    body: form(whole),
    status: 201
  },
  { send: "GET /v1/signals", status: 200, json: { data: [{ id: 1 }, { id: 3 }, { id: 4 }] } }
])
