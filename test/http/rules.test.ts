// The operation that checks expressions for an editor.
import { scenario } from "../lib/http.ts"

const send = "POST /v1/dashboard/rule"
const ask = (expressions: ReadonlyArray<object>, more: object = {}) => ({
  timeframe: "1h",
  expressions,
  ...more
})

scenario("expressions are checked while somebody writes them", [
  {
    send,
    body: ask(
      [
        { text: "close > ema(close, n)", type: "boolean" },
        { text: "close > emma(close, n)", type: "boolean" },
        { text: "close > open", type: "number" }
      ],
      { params: { n: 9 }, complete: { text: "close > supert", place: 14 } }
    ),
    status: 200,
    json: {
      expressions: [
        {
          words: "the close is above the exponential average of the close over 9 candles",
          warmups: [{ timeframe: "1h", candles: 99, anchored: false }],
          error: null
        },
        {
          words: null,
          warmups: [],
          error: {
            column: 9,
            text: "expected a price, a parameter or a function; there is no emma; did you mean ema?"
          }
        },
        { words: null, error: { column: 7, text: "expected a number; this is a condition" } }
      ],
      completions: [{ label: "supertrend", insert: "supertrend(", from: 8 }]
    }
  },
  { send, body: ask([]), status: 200, is: { expressions: [], completions: [] } },
  { send, as: "none", body: ask([]), status: 401 },
  { send, as: "hook", body: ask([]), status: 403 },
  {
    send,
    body: ask([{ text: 5, type: "text" }], { timeframe: "7h", params: { sEcReT: "x" } }),
    status: 422,
    not: ["sEcReT"],
    json: {
      errors: {
        timeframe: ["must be one of 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 12h, 1d"],
        "expressions[0].text": ["must be a text"],
        "expressions[0].type": ["must be one of number, boolean"],
        params: ["must be a number"]
      }
    }
  },
  {
    send,
    body: ask(Array.from({ length: 251 }, () => ({ text: "1", type: "number" }))),
    status: 422,
    json: { errors: { expressions: ["must have at most 250 entries"] } }
  },
  // A window of 5,000 candles for each of 1,440 calls would take 170 MB, were it taken to count candles.
  {
    send,
    body: ask(
      Array.from({ length: 30 }, (_, at) => ({
        text: Array.from({ length: 48 }, (_, index) => `wma(close,${4_000 + index + at})`).join("+"),
        type: "number"
      }))
    ),
    status: 200,
    not: ['"words":null']
  }
])

const RULE = {
  markets: [{ exchange: "binance", kind: "spot", pairs: ["BTC/USDT", "ETH/USDT"] }],
  timeframe: "1h",
  params: { n: 9 },
  on: [{ type: "buy", when: "close > ema(close, n)", sl: "low" }]
}
const SIGNAL = { name: "A rule", description: "", active: true, public: true }

scenario("the chart of a rule is its owner's", [
  { send: "POST /v1/signals", body: { ...SIGNAL, rule: RULE }, status: 201 },
  { send: "POST /v1/signals", body: SIGNAL, status: 201 },
  {
    send: "GET /v1/dashboard/signals/1/rule",
    status: 200,
    is: {
      market: { exchange: "binance", kind: "spot", pair: "BTC/USDT" },
      timeframe: "1h",
      source: "none",
      candles: [],
      forming: null,
      lines: [
        { text: "ema(close, n)", scale: "price", is_target: false, values: [] },
        { text: "sl: low", scale: "price", is_target: true, values: [] }
      ],
      fires: [],
      entries: [
        {
          ...{ by: "on[0]", type: "buy", when: "close > ema(close, n)", holds: false, holds_forming: null },
          values: [
            { text: "close", closed: null, forming: null },
            { text: "ema(close, n)", closed: null, forming: null },
            { text: "sl: low", closed: null, forming: null }
          ]
        }
      ],
      ready_at: null,
      needs: [{ timeframe: "1h", candles: 99, anchored: false }]
    }
  },
  {
    send: "GET /v1/dashboard/signals/1/rule?exchange=binance&pair=ETH/USDT&candles=10",
    status: 200,
    json: { market: { pair: "ETH/USDT" } }
  },
  {
    send: "GET /v1/dashboard/signals/1/rule?exchange=binance&pair=XRP/USDT",
    status: 422,
    json: { errors: { pair: ["is no market of the signal's rule"] } }
  },
  {
    send: "GET /v1/dashboard/signals/1/rule?exchange=nowhere&candles=5",
    status: 422,
    json: { errors: { pair: ["is required"], candles: ["must be a whole number from 10 to 1000"] } }
  },
  {
    send: "GET /v1/dashboard/signals/2/rule",
    status: 422,
    json: { errors: { id: ["is a signal without a rule"] } }
  },
  // The signal is public, and its rule is not.
  { send: "GET /v1/dashboard/signals/1/rule", as: "bob", status: 404, not: ["ema", "timeframe"] },
  { send: "GET /v1/dashboard/signals/1/rule?candles=x", as: "bob", status: 404 },
  { send: "GET /v1/dashboard/signals/1/rule", as: "hook", status: 403 },
  { send: "GET /v1/dashboard/signals/1/rule", as: "none", status: 401 }
])
