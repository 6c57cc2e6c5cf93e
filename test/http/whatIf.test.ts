// The route of a what-if: the owner's own strategy alone, with every violation of the request at once.
import { scenario } from "../lib/http.ts"

const strategy = (changes: object) => ({
  name: "one",
  description: "",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 50,
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }],
  ...changes
})
const of = (id: string) => `POST /v1/dashboard/strategies/${id}/what-if`
const body = { changes: { buy_percentage: 20 } }
const errors = (fields: Record<string, string>) => ({
  json: { errors: Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, [text]])) }
})

scenario("only its owner tries a strategy with other settings, even where it is public", [
  { send: "POST /v1/strategies", body: strategy({}), status: 201 },
  { send: "POST /v1/strategies", as: "bob", body: strategy({ public: true }), status: 201 },
  { send: of("1"), as: "none", body, status: 401 },
  { send: of("1"), as: "hook", body, status: 403 },
  { send: of("1"), as: "bob", body, status: 404 },
  { send: of("2"), body, status: 404 },
  { send: of("3"), body, status: 404 },
  { send: of("01"), body, status: 404 },
  {
    send: of("1"),
    body,
    status: 200,
    is: { what_if: null, reason: "the strategy has done nothing yet: there is nothing to compare" }
  }
])

scenario(
  "all that is wrong with the request of a what-if is said at once, and a setting that is misspelt too",
  [
    { send: "POST /v1/strategies", body: strategy({}), status: 201 },
    { send: of("1"), body: {}, status: 422, ...errors({ changes: "is required" }) },
    { send: of("1"), body: { changes: [] }, status: 422, ...errors({ changes: "must be an object" }) },
    {
      send: of("1"),
      body: { changes: { stop_los: true, buy_percentage: 1000 }, from: 2.5, to: "x" },
      status: 422,
      ...errors({
        "changes.stop_los": "no strategy has this field: did you mean stop_loss?",
        "changes.buy_percentage": "must be from 0 to 100",
        from: "must be whole seconds since the Unix epoch",
        to: "must be whole seconds since the Unix epoch"
      })
    },
    {
      send: of("1"),
      body: { changes: { default_quote_currency: "BTC", signal_id: 5 }, from: 3, to: 2 },
      status: 422,
      ...errors({
        "changes.signal_id":
          "must stay: the recorded alerts are those of its signal; a back-test takes the alerts of another one",
        "changes.default_quote_currency": "must stay: balance and results are in it",
        from: "must not be after to"
      })
    },
    { send: of("1"), body: "{", status: 400 }
  ]
)
