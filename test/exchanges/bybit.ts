import { baseOf, quoteOf } from "../../src/domain/Market.ts"
import { plain } from "./numbers.ts"
import type { Board, Line, Print, Protocol, Quote, RestRequest, StubMarket } from "./Protocol.ts"

/** The spot stream takes so many topics at a time. */
const MAX_SPOT_TOPICS = 10

const idOf = (market: StubMarket): string => baseOf(market.pair) + quoteOf(market.pair)
const categoryOf = (market: StubMarket) => (market.kind === "spot" ? "spot" : "linear")

const rest = ({ path, query }: RestRequest, board: Board): unknown => {
  const category = query.get("category")
  const symbol = query.get("symbol")
  const chosen = board.markets.filter(
    (market) => categoryOf(market) === category && (symbol === null || idOf(market) === symbol)
  )
  const answer = (result: unknown) => ({
    retCode: 0,
    retMsg: "OK",
    result,
    retExtInfo: {},
    time: board.now()
  })
  switch (path) {
    case "/v5/market/time":
      return answer({ timeSecond: `${Math.floor(board.now() / 1000)}`, timeNano: `${board.now()}000000` })
    case "/v5/market/instruments-info": {
      const list = query.has("status") ? [] : chosen.map(listed)
      return answer(category === "spot" ? { category, list } : { category, list, nextPageCursor: "" })
    }
    case "/v5/market/tickers":
      return answer({ category, list: chosen.map((market) => daily(market, board)) })
    default:
      return undefined
  }
}

const listed = (market: StubMarket) => ({
  symbol: idOf(market),
  status: market.active === false ? "Closed" : "Trading",
  baseCoin: baseOf(market.pair),
  quoteCoin: quoteOf(market.pair),
  priceFilter: { tickSize: market.priceStep },
  ...(market.kind === "spot"
    ? {
        marginTrading: "none",
        lotSizeFilter: {
          basePrecision: market.amountStep,
          quotePrecision: "0.00000001",
          minOrderQty: market.minAmount,
          minOrderAmt: market.minCost
        }
      }
    : {
        contractType: "LinearPerpetual",
        settleCoin: quoteOf(market.pair),
        deliveryTime: "0",
        lotSizeFilter: {
          qtyStep: market.amountStep,
          minOrderQty: market.minAmount,
          minNotionalValue: market.minCost
        }
      })
})

/** Only spot has a price in dollars, only contracts have an open interest: readers tell them apart by that. */
const kindly = (market: StubMarket, last: string) =>
  market.kind === "spot"
    ? { usdIndexPrice: last }
    : { openInterestValue: "1", markPrice: last, indexPrice: last }

const daily = (market: StubMarket, board: Board) => {
  const { ask, bid, last } = board.quote(market)
  const best = { bid1Price: plain(bid), bid1Size: "1", ask1Price: plain(ask), ask1Size: "1" }
  return {
    symbol: idOf(market),
    lastPrice: plain(last),
    volume24h: "1",
    ...best,
    ...kindly(market, plain(last))
  }
}

const hear = (text: string, line: Line, board: Board): ReadonlyArray<string> => {
  const asked: { op: string; req_id?: string; args?: ReadonlyArray<string> } = JSON.parse(text)
  const answer = (success: boolean, ret_msg: string) => [
    JSON.stringify({ success, ret_msg, conn_id: "stub", req_id: asked.req_id ?? "", op: asked.op })
  ]
  if (asked.op === "ping") return answer(true, "pong")
  if (line.path.endsWith("/spot") && (asked.args?.length ?? 0) > MAX_SPOT_TOPICS)
    return answer(false, "args size >10")
  for (const topic of asked.args ?? []) {
    const at = topic.lastIndexOf(".")
    const market = board.markets.find((each) => isOn(each, line) && idOf(each) === topic.slice(at + 1))
    if (market === undefined) return answer(false, `error:handler not found,topic:${topic}`)
    if (asked.op === "subscribe") line.subscribe(topic.slice(0, at), market)
    if (asked.op === "unsubscribe") line.unsubscribe(topic.slice(0, at), market)
  }
  return answer(true, asked.op === "subscribe" ? "subscribe" : "")
}

const isOn = (market: StubMarket, line: Line): boolean => line.path.endsWith(`/${categoryOf(market)}`)

/** The tickers of spot have no bid and no ask. */
const quoted = (market: StubMarket, quote: Quote, line: Line, at: number): ReadonlyArray<string> => {
  if (!isOn(market, line)) return []
  const id = idOf(market)
  const [bid, ask, last] = [plain(quote.bid), plain(quote.ask), plain(quote.last)]
  const frames: Array<string> = []
  if (line.has("orderbook.1", market)) {
    const sides = `"b":[["${bid}","1"]],"a":[["${ask}","1"]]`
    const data = `{"s":"${id}",${sides},"u":${line.next()},"seq":${at}}`
    frames.push(`{"topic":"orderbook.1.${id}","type":"snapshot","ts":${at},"data":${data},"cts":${at}}`)
  }
  if (line.has("tickers", market)) {
    const more =
      market.kind === "spot"
        ? `"usdIndexPrice":"${last}"`
        : `"openInterestValue":"1","bid1Price":"${bid}","bid1Size":"1","ask1Price":"${ask}","ask1Size":"1"`
    const data = `{"symbol":"${id}","lastPrice":"${last}","volume24h":"1",${more}}`
    frames.push(`{"topic":"tickers.${id}","type":"snapshot","ts":${at},"data":${data},"cs":${line.next()}}`)
  }
  return frames
}

const traded = (market: StubMarket, print: Print, line: Line): ReadonlyArray<string> => {
  if (!isOn(market, line) || !line.has("publicTrade", market)) return []
  const id = idOf(market)
  const size = `"v":"${plain(print.amount)}","p":"${plain(print.price)}","S":"${print.side === "buy" ? "Buy" : "Sell"}"`
  const data = `[{"T":${print.at},"s":"${id}",${size},"i":"${print.id}","BT":false}]`
  return [`{"topic":"publicTrade.${id}","type":"snapshot","ts":${print.at},"data":${data}}`]
}

/** One host; spot and linear are categories in REST and paths of the streams. */
export const bybit: Protocol = {
  name: "bybit",
  rest,
  refusal: (status) =>
    status < 500 ? { retCode: 10006, retMsg: "Too many visits!", result: {}, retExtInfo: {} } : undefined,
  greet: () => [],
  hear,
  snapshots: true,
  quoted,
  traded
}
