// What the stubs say, field by field, against what the exchanges were heard to say: no field made up, none left out.
import { describe, expect, test } from "bun:test"
import { Pair } from "../../src/domain/Market.ts"
import { coinbase } from "./coinbase.ts"
import { kraken } from "./kraken.ts"
import { kucoin } from "./kucoin.ts"
import type { Board, Line, Print, Protocol, StubMarket } from "./Protocol.ts"
import { Wire } from "./Wire.ts"

const AT = 1_790_000_000_000
const QUOTE = { bid: 60000.1, ask: 60000.2, last: 0.00000012 }
const PRINT: Print = { price: 60000.2, amount: 0.05, side: "buy", at: AT, id: "71" }
const spot: StubMarket = {
  ...{ pair: Pair.make("BTC/USDT"), kind: "spot", priceStep: "0.1", amountStep: "0.001" },
  ...{ minAmount: "0.001", minCost: "5" }
}
const swap: StubMarket = { ...spot, kind: "swap" }
const board: Board = {
  url: "http://127.0.0.1:1",
  markets: [spot],
  quote: () => QUOTE,
  prints: () => [],
  now: () => AT
}
const lineOf = () => new Wire("host", "/", new URLSearchParams("connectId=public"))

type Verb = "subscribe" | "unsubscribe"
const krakenAsks = (method: Verb, channel: string, symbol: ReadonlyArray<string> = ["BTC/USDT"]) =>
  JSON.stringify({ method, params: { channel, symbol }, req_id: 1 })
const coinbaseAsks = (type: Verb, channel: string, id = "BTC-USDT") =>
  JSON.stringify({ type, channel, product_ids: [id] })
const kucoinAsks = (type: Verb, topic: string) => JSON.stringify({ id: "1", type, topic, response: true })

type Asks = (verb: Verb, channel: string) => string
const KRAKEN = [kraken, krakenAsks, "channel type data[].symbol"] as const
const COINBASE = [coinbase, coinbaseAsks, "channel client_id timestamp sequence_num events[].type"] as const
const KUCOIN = [kucoin, kucoinAsks, "topic type subject"] as const
const [SPOT, SWAP] = [":BTC-USDT", ":XBTUSDTM"]
const BEST = "symbol sequence bestBidSize bestBidPrice bestAskPrice bestAskSize ts"
const MATCH = "symbol sequence side size price tradeId makerOrderId takerOrderId"

const rows: ReadonlyArray<readonly [readonly [Protocol, Asks, string], StubMarket, string, string]> = [
  [
    KRAKEN,
    spot,
    "ticker",
    "data[]: bid bid_qty ask ask_qty last volume vwap low high change change_pct timestamp"
  ],
  [KRAKEN, spot, "trade", "data[]: side price qty ord_type trade_id timestamp"],
  [
    COINBASE,
    spot,
    "ticker",
    "events[].tickers[]: type product_id price volume_24_h low_24_h high_24_h low_52_w high_52_w " +
      "price_percent_chg_24_h best_bid best_bid_quantity best_ask best_ask_quantity"
  ],
  [COINBASE, spot, "market_trades", "events[].trades[]: trade_id product_id price size side time"],
  [
    KUCOIN,
    spot,
    `/market/ticker${SPOT}`,
    "data: bestAsk bestAskSize bestBid bestBidSize price sequence size time"
  ],
  [KUCOIN, spot, `/spotMarket/level1${SPOT}`, "data: asks[] bids[] timestamp"],
  [KUCOIN, spot, `/market/match${SPOT}`, `data: ${MATCH} type time`],
  [KUCOIN, swap, `/contractMarket/ticker${SWAP}`, `data: ${BEST} side price size tradeId`],
  [KUCOIN, swap, `/contractMarket/tickerV2${SWAP}`, `data: ${BEST}`],
  [KUCOIN, swap, `/contractMarket/execution${SWAP}`, `data: ${MATCH} ts`]
]

describe.each(rows)("%#", ([protocol, asks, outer], market, channel, inner) => {
  const known = { ...board, markets: [market] }
  const tell = (line: Line) => [
    ...protocol.quoted(market, QUOTE, line, AT),
    ...protocol.traded(market, PRINT, line)
  ]
  test(`${protocol.name} ${channel} has the fields of the real one`, () => {
    const line = lineOf()
    expect(tell(line)).toEqual([])
    expect(protocol.hear(asks("subscribe", channel), line, known)).toHaveLength(1)
    const [under = "", names = ""] = inner.split(": ")
    const expected = [...outer.split(" "), ...names.split(" ").map((name) => `${under}.${name}`)]
    expect(tell(line).map((text) => fields(JSON.parse(text)))).toEqual([expected.sort()])
    protocol.hear(asks("unsubscribe", channel), line, known)
    expect(tell(line)).toEqual([])
  })
})

test("kraken names unknown and repeated subscriptions in its answer", () => {
  const line = lineOf()
  const say = (verb: Verb, symbol: ReadonlyArray<string>) =>
    kraken.hear(krakenAsks(verb, "ticker", symbol), line, board).map((text) => JSON.parse(text))
  const [refused, taken] = say("subscribe", ["XBT/USDT", "BTC/USDT"])
  expect(refused).toMatchObject({ error: "Currency pair not supported XBT/USDT", success: false, req_id: 1 })
  expect(taken).toMatchObject({ result: { channel: "ticker", symbol: "BTC/USDT" }, success: true })
  expect(fields(taken)).toEqual([
    "method",
    "req_id",
    "result.channel",
    "result.snapshot",
    "result.symbol",
    "success",
    "time_in",
    "time_out"
  ])
  expect(say("subscribe", ["BTC/USDT"])).toMatchObject([{ error: "Already subscribed", success: false }])
})

test.each([
  [kraken, krakenAsks("subscribe", "trade"), `"trade_id":70`],
  [coinbase, coinbaseAsks("subscribe", "market_trades"), `"trade_id":"70"`]
])("%#: a subscription to trades repeats the last ones", (protocol, ask, id) => {
  const told = protocol.hear(ask, lineOf(), { ...board, prints: () => [{ ...PRINT, id: "70" }] })
  expect(told).toHaveLength(2)
  expect(told[1]).toContain(`"type":"snapshot"`)
  expect(told[1]).toContain(id)
})

test("coinbase lists all subscriptions in each answer, and an empty list at the end", () => {
  const line = lineOf()
  const say = (verb: Verb, channel: string) =>
    JSON.parse(coinbase.hear(coinbaseAsks(verb, channel), line, board)[0] ?? "").events[0].subscriptions
  expect(say("subscribe", "ticker")).toEqual({ ticker: ["BTC-USDT"] })
  expect(say("subscribe", "market_trades")).toEqual({ ticker: ["BTC-USDT"], market_trades: ["BTC-USDT"] })
  expect(say("unsubscribe", "ticker")).toEqual({ market_trades: ["BTC-USDT"] })
  expect(say("unsubscribe", "market_trades")).toEqual({})
})

test.each([
  [coinbase, 8, coinbaseAsks("subscribe", "ticker"), "rate limit exceeded"],
  [kucoin, 100, kucoinAsks("subscribe", `/market/ticker${SPOT}`), "exceed max permits per second"]
])("%#: a connection that sends too much at once gets an error", (protocol, most, ask, words) => {
  const line = lineOf()
  for (let said = 0; said < most; said++) expect(protocol.hear(ask, line, board)[0]).not.toContain("error")
  expect(protocol.hear(ask, line, board)[0]).toContain(words)
  expect(protocol.hear(ask, line, { ...board, now: () => AT + 10_000 })[0]).not.toContain("error")
})

/** All fields of a value, `a.b` one in the other and `a[]` for lists. */
const fields = (value: unknown, under = ""): ReadonlyArray<string> => {
  const all = Array.isArray(value)
    ? value.flatMap((item) => fields(item, `${under}[]`))
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, item]) =>
          fields(item, under === "" ? name : `${under}.${name}`)
        )
      : [under]
  return [...new Set(all)].sort()
}
