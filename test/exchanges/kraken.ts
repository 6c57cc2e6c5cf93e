import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { baseOf, quoteOf } from "../../src/domain/Market.ts"
import { places, plain } from "./numbers.ts"
import type { Board, Line, Print, Protocol, Slot, StubMarket } from "./Protocol.ts"
import { micros } from "./times.ts"

/** Kraken: spot only; streams in the second version of its protocol. */
export const kraken: Protocol = {
  name: "kraken",
  snapshots: true,
  refusal: (status) => ({ error: [status === 429 ? "EAPI:Rate limit exceeded" : "EService:Unavailable"] }),
  greet: () => [
    `{"channel":"status","type":"update","data":[{"version":"2.0.10","system":"online","api_version":"v2","connection_id":6447481662169813}]}`
  ],
  rest: ({ path, query }, board) => {
    switch (path) {
      case "/0/public/Time":
        return good({
          unixtime: Math.floor(board.now() / 1000),
          rfc1123: new Date(board.now()).toUTCString()
        })
      case "/0/public/SystemStatus":
        return good({ status: "online", timestamp: new Date(board.now()).toISOString() })
      case "/0/public/Assets":
        return good(Object.fromEntries(codes(board).map((code) => [assetId(code), asset(code)])))
      case "/0/public/AssetPairs":
        return good(Object.fromEntries(board.markets.map((market) => [pairId(market), assetPair(market)])))
      case "/0/public/Ticker":
        return tickers(query.get("pair"), board)
    }
  },
  hear: (text, line, board) =>
    Option.match(decode(text), {
      onNone: () => [`{"error":"Malformed request","success":false}`],
      onSome: (said) => reply(said, line, board)
    }),
  quoted: (market, { bid, ask, last }, line, at) =>
    line.has("ticker", market)
      ? [
          `{"channel":"ticker","type":"update","data":[{"symbol":"${market.pair}","bid":${json(bid)},"bid_qty":1.5,` +
            `"ask":${json(ask)},"ask_qty":2.5,"last":${json(last)},"volume":1000.5,"vwap":${json(last)},` +
            `"low":${json(last)},"high":${json(last)},"change":0.0,"change_pct":0.0,"timestamp":"${micros(at)}"}]}`
        ]
      : [],
  traded: (market, print, line) => (line.has("trade", market) ? [trades("update", market, [print])] : [])
}

const trades = (type: "snapshot" | "update", { pair }: Slot, prints: ReadonlyArray<Print>) =>
  `{"channel":"trade","type":"${type}","data":[${prints.map((print) => `{"symbol":"${pair}",${trade(print)}}`)}]}`

const trade = ({ side, price, amount, id, at }: Print) =>
  `"side":"${side}","price":${json(price)},"qty":${json(amount)},"ord_type":"market","trade_id":${id},` +
  `"timestamp":"${micros(at)}"`

const json = (value: number) => (Number.isFinite(value) ? plain(value) : "null")

const Said = Schema.Struct({
  method: Schema.String,
  req_id: Schema.optional(Schema.Int),
  params: Schema.optional(
    Schema.Struct({ channel: Schema.String, symbol: Schema.optional(Schema.Array(Schema.String)) })
  )
})
type Said = typeof Said.Type
const decode = Schema.decodeUnknownOption(Schema.parseJson(Said))

/** One answer for each symbol; whoever asks for trades is told the last ones again. */
const reply = ({ method, req_id, params }: Said, line: Line, board: Board): ReadonlyArray<string> => {
  const time = micros(board.now())
  const times = { req_id, time_in: time, time_out: time }
  if (method === "ping") return [JSON.stringify({ method: "pong", ...times })]
  const { channel, symbol = [] } = params ?? { channel: "" }
  return symbol.flatMap((pair) => {
    const market = board.markets.find((market) => market.pair === pair)
    const refuse = (error: string) =>
      JSON.stringify({ error, method, success: false, symbol: pair, ...times })
    if (market === undefined) return refuse(`Currency pair not supported ${pair}`)
    if (method === "subscribe") {
      if (line.has(channel, market)) return refuse("Already subscribed")
      line.subscribe(channel, market)
    } else line.unsubscribe(channel, market)
    const result = { channel, symbol: pair, snapshot: true }
    const done = JSON.stringify({ method, result, success: true, ...times })
    const last = method === "subscribe" && channel === "trade" ? board.prints(market) : []
    return last.length === 0 ? done : [done, trades("snapshot", market, last)]
  })
}

const good = (result: unknown) => ({ error: [], result })

/** One unknown id spoils the whole answer. */
const tickers = (ids: string | null, board: Board): unknown => {
  const wanted = ids?.split(",") ?? board.markets.map(pairId)
  const found = board.markets.filter(
    (market) => wanted.includes(pairId(market)) || wanted.includes(altname(market))
  )
  if (found.length < wanted.length) return { error: ["EQuery:Unknown asset pair"] }
  return good(Object.fromEntries(found.map((market) => [pairId(market), ticker(market, board)])))
}

const ticker = (market: Slot, board: Board) => {
  const { bid, ask, last } = board.quote(market)
  const [b, a, c] = [bid, ask, last].map(plain)
  const [v, p, l, h] = [
    ["0.5", "1000.5"],
    [c, c],
    [c, c],
    [c, c]
  ]
  return { a: [a, "2", "2.500"], b: [b, "1", "1.500"], c: [c, "0.1"], v, p, t: [35, 3276], l, h, o: c }
}

const assetPair = (market: StubMarket) => ({
  altname: altname(market),
  wsname: `${short(baseOf(market.pair))}/${short(quoteOf(market.pair))}`,
  aclass_base: "currency",
  base: assetId(baseOf(market.pair)),
  aclass_quote: "currency",
  quote: assetId(quoteOf(market.pair)),
  lot: "unit",
  cost_decimals: 5,
  pair_decimals: places(market.priceStep),
  lot_decimals: places(market.amountStep),
  lot_multiplier: 1,
  leverage_buy: [],
  leverage_sell: [],
  fees: [[0, percent(market.takerFee, 0.4)]],
  fees_maker: [[0, percent(market.makerFee, 0.25)]],
  fee_volume_currency: "ZUSD",
  margin_call: 80,
  margin_stop: 40,
  ordermin: market.minAmount,
  costmin: market.minCost,
  tick_size: market.priceStep,
  status: market.active === false ? "cancel_only" : "online"
})

const percent = (fraction: number | undefined, otherwise: number) =>
  fraction === undefined ? otherwise : Number((fraction * 100).toFixed(6))

const asset = (code: string) => ({
  aclass: "currency",
  altname: short(code),
  decimals: 10,
  display_decimals: 5,
  status: "enabled"
})

const codes = (board: Board) => [
  ...new Set(board.markets.flatMap(({ pair }) => [baseOf(pair), quoteOf(pair)]))
]

/** The coins that were there first have a letter before their names. */
const OLD = new Set(["XBT", "XDG", "ETC", "ETH", "LTC", "XLM", "XMR", "XRP", "ZEC"])
export const short = (code: string) => (code === "BTC" ? "XBT" : code === "DOGE" ? "XDG" : code)
export const assetId = (code: string) =>
  code === "USD" || code === "EUR" ? `Z${code}` : OLD.has(short(code)) ? `X${short(code)}` : code

export const altname = ({ pair }: Slot) => `${short(baseOf(pair))}${short(quoteOf(pair))}`

/** `XXBTZUSD` of two old coins, `XBTUSDT` of others. */
export const pairId = (market: Slot) => {
  const ids = [baseOf(market.pair), quoteOf(market.pair)].map(assetId)
  return ids.every((id) => /^[XZ].{3}$/.test(id) && id !== "XXDG") ? ids.join("") : altname(market)
}
