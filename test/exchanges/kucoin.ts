import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { baseOf, quoteOf } from "../../src/domain/Market.ts"
import { over, plain } from "./numbers.ts"
import { pace } from "./Pace.ts"
import type { Board, Line, Print, Protocol, Quote, Slot, StubMarket } from "./Protocol.ts"

/** KuCoin: spot and perpetuals. A stream's address and token are asked for by REST; nothing is told before it changes. */
export const kucoin: Protocol = {
  name: "kucoin",
  snapshots: false,
  refusal: (status) => (status === 429 ? { code: "429000", msg: "Too Many Requests" } : undefined),
  greet: (line) => [JSON.stringify({ id: line.query.get("connectId"), type: "welcome" })],
  rest: ({ host, path, query }, board) => {
    const { spot, swap } = { spot: of("spot", board), swap: of("swap", board) }
    const asked = board.markets.find((market) => id(market) === query.get("symbol"))
    switch (path) {
      case "/api/v1/timestamp":
        return good(board.now())
      case "/api/v1/bullet-public":
        return good(bullet(host, board))
      case "/api/v3/currencies":
        return good(codes(board).map(currency))
      case "/api/v2/symbols":
        return good(spot.map(symbol))
      case "/api/v1/market/allTickers":
        return good({ time: board.now(), ticker: spot.map((market) => stats(market, board)) })
      case "/api/v1/market/stats":
        return good({ time: board.now(), ...(asked === undefined ? {} : stats(asked, board)) })
      case "/api/v1/contracts/active":
        return good(swap.map((market) => contract(market, board)))
      case "/api/v1/allTickers":
        return good(swap.map((market) => contractTicker(market, board)))
      case "/api/v1/ticker":
        return asked === undefined ? undefined : good(contractTicker(asked, board))
    }
  },
  hear: (text, line, board) =>
    Option.match(decode(text), { onNone: () => [], onSome: (said) => reply(said, line, board) }),
  quoted: (market, quote, line, at) =>
    QUOTES[market.kind]
      .filter(({ topic }) => line.has(topic, market))
      .map(({ topic, subject, data }) => message(topic, subject, market, data(id(market), quote, at, line))),
  traded: (market, print, line) => {
    const { topic, subject, data } = PRINTS[market.kind]
    return line.has(topic, market) ? [message(topic, subject, market, data(market, print, line))] : []
  }
}

const message = (topic: string, subject: string, market: Slot, data: string) =>
  `{"topic":"${topic}:${id(market)}","type":"message","subject":"${subject}","data":{${data}}}`

interface Topic {
  readonly topic: string
  readonly subject: string
  readonly data: (symbol: string, quote: Quote, at: number, line: Line) => string
}

const QUOTES: Record<"spot" | "swap", ReadonlyArray<Topic>> = {
  spot: [
    {
      topic: "/market/ticker",
      subject: "trade.ticker",
      data: (_, { bid, ask, last }, at, line) =>
        `"bestAsk":"${plain(ask)}","bestAskSize":"2.5","bestBid":"${plain(bid)}","bestBidSize":"1.5",` +
        `"price":"${plain(last)}","sequence":"${line.next()}","size":"0.1","time":${at}`
    },
    {
      topic: "/market/snapshot",
      subject: "trade.snapshot",
      data: (symbol, { bid, ask, last }, at, line) =>
        `"sequence":"${line.next()}","data":{"symbol":"${symbol}","symbolCode":"${symbol}","buy":${plain(bid)},` +
        `"sell":${plain(ask)},"lastTradedPrice":${plain(last)},"vol":1000.5,"datetime":${at},"trading":true}`
    },
    {
      topic: "/spotMarket/level1",
      subject: "level1",
      data: (_, { bid, ask }, at) =>
        `"asks":["${plain(ask)}","2.5"],"bids":["${plain(bid)}","1.5"],"timestamp":${at}`
    }
  ],
  swap: [
    {
      topic: "/contractMarket/ticker",
      subject: "ticker",
      data: (symbol, { last, ...quote }, at, line) =>
        `"sequence":${line.next()},"side":"sell","size":16,"price":"${plain(last)}",` +
        `"tradeId":"1700000000001",${best(symbol, quote, at)}`
    },
    {
      topic: "/contractMarket/tickerV2",
      subject: "tickerV2",
      data: (symbol, quote, at, line) => `"sequence":${line.next()},${best(symbol, quote, at)}`
    }
  ]
}

const best = (symbol: string, { bid, ask }: Omit<Quote, "last">, at: number) =>
  `"symbol":"${symbol}","bestBidSize":795,"bestBidPrice":"${plain(bid)}","bestAskPrice":"${plain(ask)}",` +
  `"bestAskSize":284,"ts":${at}000000`

const PRINTS = {
  spot: {
    topic: "/market/match",
    subject: "trade.l3match",
    data: (market: StubMarket, print: Print, line: Line) =>
      `"type":"match","sequence":"${line.next()}","symbol":"${id(market)}","side":"${print.side}",` +
      `"size":"${plain(print.amount)}","price":"${plain(print.price)}","time":"${print.at}000000",` +
      `"tradeId":"${print.id}","makerOrderId":"m${print.id}","takerOrderId":"t${print.id}"`
  },
  swap: {
    topic: "/contractMarket/execution",
    subject: "match",
    data: (market: StubMarket, print: Print, line: Line) =>
      `"symbol":"${id(market)}","sequence":${line.next()},"side":"${print.side}","size":${contracts(market, print)},` +
      `"price":"${plain(print.price)}","tradeId":"${print.id}","makerOrderId":"m${print.id}",` +
      `"takerOrderId":"t${print.id}","ts":${print.at}000000`
  }
}

/** A contract is one step of the amount, unless the market says otherwise. */
export const contractSizeOf = (market: StubMarket) => market.contractSize ?? market.amountStep
const contracts = (market: StubMarket, { amount }: Print) => over(plain(amount), contractSizeOf(market))

const decode = Schema.decodeUnknownOption(
  Schema.parseJson(
    Schema.Struct({ id: Schema.String, type: Schema.String, topic: Schema.optional(Schema.String) })
  )
)
type Said = Option.Option.Value<ReturnType<typeof decode>>

/** A line may say 100 things in ten seconds. */
const hurries = pace(100, 10_000)

const reply = ({ id: request, type, topic = "" }: Said, line: Line, board: Board): ReadonlyArray<string> => {
  if (type === "ping") return [JSON.stringify({ id: request, type: "pong", timestamp: board.now() * 1000 })]
  const fail = (code: number, data: string) => [JSON.stringify({ id: request, type: "error", code, data })]
  if (hurries(line, board.now())) return fail(509, "exceed max permits per second")
  if (type !== "subscribe" && type !== "unsubscribe") return fail(415, "type is not supported")
  const [channel = "", symbols = ""] = topic.split(":")
  if (!TOPICS.has(channel)) return fail(404, `topic ${topic} is not found`)
  const wanted = symbols.split(",")
  for (const market of board.markets) if (wanted.includes(id(market))) line[type](channel, market)
  return [JSON.stringify({ id: request, type: "ack" })]
}

const TOPICS = new Set([
  ...[...QUOTES.spot, ...QUOTES.swap].map(({ topic }) => topic),
  ...Object.values(PRINTS).map(({ topic }) => topic)
])

const good = (data: unknown) => ({ code: "200000", data })

const bullet = (host: string, board: Board) => ({
  token: "2neAiuYvAU61ZDXANAGAsiL4",
  instanceServers: [
    {
      endpoint: `${board.url.replace(/^http/, "ws")}/ws-${host}/`,
      encrypt: true,
      protocol: "websocket",
      pingInterval: 18000,
      pingTimeout: 10000
    }
  ]
})

const symbol = (market: StubMarket) => ({
  symbol: id(market),
  name: id(market),
  baseCurrency: baseOf(market.pair),
  quoteCurrency: quoteOf(market.pair),
  feeCurrency: quoteOf(market.pair),
  market: "USDS",
  baseMinSize: market.minAmount,
  quoteMinSize: market.minCost,
  baseMaxSize: "10000000000",
  quoteMaxSize: "99999999",
  baseIncrement: market.amountStep,
  quoteIncrement: "0.000001",
  priceIncrement: market.priceStep,
  priceLimitRate: "0.1",
  minFunds: market.minCost,
  isMarginEnabled: false,
  enableTrading: market.active !== false
})

const stats = (market: StubMarket, board: Board) => {
  const { bid, ask, last } = board.quote(market)
  return {
    symbol: id(market),
    symbolName: id(market),
    buy: plain(bid),
    bestBidSize: "1.5",
    sell: plain(ask),
    bestAskSize: "2.5",
    changeRate: "0",
    changePrice: "0",
    high: plain(last),
    low: plain(last),
    vol: "1000.5",
    volValue: "100000",
    last: plain(last),
    averagePrice: plain(last),
    takerFeeRate: `${market.takerFee ?? 0.001}`,
    makerFeeRate: `${market.makerFee ?? 0.001}`,
    takerCoefficient: "1",
    makerCoefficient: "1"
  }
}

/** No bid and ask in this list; the least amount is one lot. */
const contract = (market: StubMarket, board: Board) => ({
  symbol: id(market),
  rootSymbol: quoteOf(market.pair),
  type: "FFWCSX",
  firstOpenDate: 1591086000000,
  expireDate: null,
  settleDate: null,
  baseCurrency: short(market),
  quoteCurrency: quoteOf(market.pair),
  settleCurrency: quoteOf(market.pair),
  maxOrderQty: 1000000,
  maxPrice: 1000000,
  lotSize: Number(over(market.amountStep, contractSizeOf(market))),
  tickSize: Number(market.priceStep),
  multiplier: Number(contractSizeOf(market)),
  makerFeeRate: market.makerFee ?? 0.0002,
  takerFeeRate: market.takerFee ?? 0.0006,
  isQuanto: false,
  isInverse: false,
  status: market.active === false ? "Paused" : "Open",
  volumeOf24h: 1000.5,
  turnoverOf24h: 100000,
  markPrice: board.quote(market).last,
  indexPrice: board.quote(market).last,
  lastTradePrice: board.quote(market).last,
  nextFundingRateTime: 25481884,
  maxLeverage: 100
})

const contractTicker = (market: StubMarket, board: Board) => {
  const { bid, ask, last } = board.quote(market)
  return {
    sequence: 1638444978558,
    symbol: id(market),
    side: "sell",
    size: 4,
    price: plain(last),
    bestBidSize: 795,
    bestBidPrice: plain(bid),
    bestAskPrice: plain(ask),
    bestAskSize: 284,
    tradeId: "1700000000001",
    ts: board.now() * 1_000_000
  }
}

const currency = (code: string) => ({
  currency: code,
  name: code,
  fullName: code,
  precision: 8,
  isMarginEnabled: false,
  isDebitEnabled: false,
  chains: []
})

const of = (kind: Slot["kind"], board: Board) => board.markets.filter((market) => market.kind === kind)

const codes = (board: Board) => [
  ...new Set(board.markets.flatMap(({ pair }) => [baseOf(pair), quoteOf(pair)]))
]

/** The perpetuals call bitcoin XBT. */
const short = ({ pair }: Slot) => (baseOf(pair) === "BTC" ? "XBT" : baseOf(pair))

export const id = (market: Slot) =>
  market.kind === "spot" ? market.pair.replace("/", "-") : `${short(market)}${quoteOf(market.pair)}M`
