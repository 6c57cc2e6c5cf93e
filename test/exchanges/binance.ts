import { baseOf, type MarketKind, quoteOf } from "../../src/domain/Market.ts"
import { plain } from "./numbers.ts"
import type { Board, Line, Print, Protocol, Quote, RestRequest, StubMarket } from "./Protocol.ts"

/** More than so many frames of a client in a second end its line. */
const FRAMES_A_SECOND = { spot: 5, swap: 10 }
const MAX_STREAMS = { spot: 1024, swap: 200 }

const idOf = (market: StubMarket): string => baseOf(market.pair) + quoteOf(market.pair)

/** `api` and `stream` are spot, `fapi` and `fstream` the linear perpetuals; `dapi` has the others, of which we have none. */
const kindOf = (host: string): MarketKind | undefined =>
  /^(api|stream)\./.test(host) ? "spot" : /^(fapi|fstream)\./.test(host) ? "swap" : undefined

const rest = ({ host, path, query }: RestRequest, board: Board): unknown => {
  const kind = kindOf(host)
  const ids: unknown = JSON.parse(query.get("symbols") ?? "[]")
  const asked = Array.isArray(ids) && ids.length > 0 ? ids.map(String) : query.getAll("symbol")
  const known = board.markets.filter((market) => market.kind === kind)
  const chosen = asked.length === 0 ? known : known.filter((market) => asked.includes(idOf(market)))
  const each = <A>(row: (market: StubMarket) => A) =>
    query.has("symbol") ? row(chosen[0] ?? raise(query)) : chosen.map(row)
  switch (path.replace(/^\/f?d?api\/v\d\//, "")) {
    case "ping":
      return {}
    case "time":
      return { serverTime: board.now() }
    case "exchangeInfo":
      return { timezone: "UTC", serverTime: board.now(), rateLimits: [], symbols: known.map(listed) }
    case "ticker/24hr":
      return each((market) => daily(market, board))
    case "ticker/bookTicker":
      return each((market) => book(market, board))
    default:
      return undefined
  }
}

const raise = (query: URLSearchParams): never => {
  throw new Error(`no market ${query}`)
}

const ORDER_TYPES = {
  spot: "LIMIT LIMIT_MAKER MARKET STOP_LOSS STOP_LOSS_LIMIT TAKE_PROFIT TAKE_PROFIT_LIMIT".split(" "),
  swap: "LIMIT MARKET STOP STOP_MARKET TAKE_PROFIT TAKE_PROFIT_MARKET TRAILING_STOP_MARKET".split(" ")
}

const listed = (market: StubMarket) => ({
  symbol: idOf(market),
  status: market.active === false ? "BREAK" : "TRADING",
  baseAsset: baseOf(market.pair),
  quoteAsset: quoteOf(market.pair),
  ...(market.kind === "spot"
    ? { isSpotTradingAllowed: true, permissions: [] }
    : { contractType: "PERPETUAL", deliveryDate: 4133404800000, marginAsset: quoteOf(market.pair) }),
  orderTypes: ORDER_TYPES[market.kind],
  // Real answers count places here that no order may use: only the filters tell the steps.
  pricePrecision: 8,
  quantityPrecision: 8,
  filters: [
    {
      filterType: "PRICE_FILTER",
      minPrice: market.priceStep,
      maxPrice: "1000000",
      tickSize: market.priceStep
    },
    { filterType: "LOT_SIZE", minQty: market.minAmount, maxQty: "9000000", stepSize: market.amountStep },
    market.kind === "spot"
      ? { filterType: "NOTIONAL", minNotional: market.minCost, applyMinToMarket: true }
      : { filterType: "MIN_NOTIONAL", notional: market.minCost }
  ]
})

/** The perpetuals' daily figures have no bid and no ask. */
const daily = (market: StubMarket, board: Board) => {
  const { ask, bid, last } = board.quote(market)
  const figures = {
    symbol: idOf(market),
    lastPrice: plain(last),
    volume: "1",
    quoteVolume: "1",
    closeTime: board.now()
  }
  return market.kind === "swap"
    ? figures
    : { ...figures, bidPrice: plain(bid), bidQty: "1", askPrice: plain(ask), askQty: "1" }
}

const book = (market: StubMarket, board: Board) => {
  const { ask, bid } = board.quote(market)
  const best = { symbol: idOf(market), bidPrice: plain(bid), bidQty: "1", askPrice: plain(ask), askQty: "1" }
  return market.kind === "swap" ? { ...best, time: board.now() } : best
}

const heardAt = new WeakMap<Line, Array<number>>()

const hear = (text: string, line: Line, board: Board): ReadonlyArray<string> => {
  const kind = kindOf(line.host)
  if (kind === undefined) return []
  const recent = (heardAt.get(line) ?? []).filter((at) => at > board.now() - 1000)
  heardAt.set(line, [...recent, board.now()])
  if (recent.length >= FRAMES_A_SECOND[kind]) {
    line.drop()
    return []
  }
  const asked: { method: string; params?: ReadonlyArray<string>; id: number } = JSON.parse(text)
  const byName = new Map(board.markets.filter((m) => m.kind === kind).map((m) => [idOf(m).toLowerCase(), m]))
  for (const stream of asked.params ?? []) {
    const [name = "", channel = ""] = stream.split("@")
    const market = byName.get(name)
    if (market === undefined) continue
    if (asked.method === "SUBSCRIBE") line.subscribe(channel, market)
    if (asked.method === "UNSUBSCRIBE") line.unsubscribe(channel, market)
  }
  if ((asked.params?.length ?? 0) > MAX_STREAMS[kind]) line.drop()
  return [JSON.stringify({ result: null, id: asked.id })]
}

const quoted = (market: StubMarket, quote: Quote, line: Line, at: number): ReadonlyArray<string> => {
  if (kindOf(line.host) !== market.kind) return []
  const id = idOf(market)
  const frames: Array<string> = []
  const best = `"s":"${id}","b":"${plain(quote.bid)}","B":"1","a":"${plain(quote.ask)}","A":"1"`
  if (line.has("bookTicker", market)) {
    const head = market.kind === "swap" ? `"e":"bookTicker","E":${at},"T":${at},` : ""
    frames.push(`{${head}"u":${line.next()},${best}}`)
  }
  if (line.has("ticker", market)) {
    const prices = market.kind === "swap" ? `"s":"${id}"` : best
    frames.push(`{"e":"24hrTicker","E":${at},${prices},"c":"${plain(quote.last)}","v":"1","q":"1","C":${at}}`)
  }
  return frames
}

const traded = (market: StubMarket, print: Print, line: Line): ReadonlyArray<string> => {
  if (kindOf(line.host) !== market.kind || !line.has("trade", market)) return []
  const head = `"e":"trade","E":${print.at},"T":${print.at},"s":"${idOf(market)}","t":${print.id}`
  const size = `"p":"${plain(print.price)}","q":"${plain(print.amount)}","m":${print.side === "sell"}`
  return [`{${head},${size},${market.kind === "swap" ? `"X":"MARKET"` : `"M":true`}}`]
}

/** Spot and linear perpetuals, each on hosts of its own. */
export const binance: Protocol = {
  name: "binance",
  rest,
  refusal: (status) => (status < 500 ? { code: -1003, msg: "Too many requests." } : undefined),
  greet: () => [],
  hear,
  snapshots: false,
  quoted,
  traded
}
