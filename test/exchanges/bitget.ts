import { baseOf, quoteOf } from "../../src/domain/Market.ts"
import { places, plain } from "./numbers.ts"
import type { Board, Line, Print, Protocol, Quote, RestRequest, StubMarket } from "./Protocol.ts"

const idOf = (market: StubMarket): string => baseOf(market.pair) + quoteOf(market.pair)
const typeOf = (market: StubMarket): string => (market.kind === "spot" ? "SPOT" : "USDT-FUTURES")

const rest = ({ path, query }: RestRequest, board: Board): unknown => {
  const symbol = query.get("symbol")
  const [, part] = /^\/api\/v2\/(spot|mix)\//.exec(path) ?? []
  const type = part === "mix" ? query.get("productType") : "SPOT"
  const chosen = board.markets.filter(
    (market) => typeOf(market) === type && (symbol === null || idOf(market) === symbol)
  )
  const answer = (data: unknown) => ({ code: "00000", msg: "success", requestTime: board.now(), data })
  switch (path) {
    case "/api/v2/public/time":
      return answer({ serverTime: `${board.now()}` })
    case "/api/v2/spot/public/coins":
      return answer(
        [...new Set(board.markets.flatMap((market) => market.pair.split("/")))].map((coin) => ({
          coin,
          chains: []
        }))
      )
    case "/api/v2/margin/currencies":
      return answer(
        board.markets
          .filter((market) => market.kind === "spot")
          .map((market) => ({ symbol: idOf(market), isBorrowable: false, isCrossBorrowable: false }))
      )
    case "/api/v2/spot/public/symbols":
      return answer(chosen.map(spot))
    case "/api/v2/mix/market/contracts":
      return answer(chosen.map(contract))
    case "/api/v2/spot/market/tickers":
    case "/api/v2/mix/market/tickers":
    case "/api/v2/mix/market/ticker":
      return answer(chosen.map((market) => daily(market, board.quote(market), board.now())))
    default:
      return undefined
  }
}

const listed = (market: StubMarket) => ({
  symbol: idOf(market),
  baseCoin: baseOf(market.pair),
  quoteCoin: quoteOf(market.pair),
  makerFeeRate: plain(market.makerFee ?? 0.0002),
  takerFeeRate: plain(market.takerFee ?? 0.0006),
  minTradeUSDT: market.minCost
})

const spot = (market: StubMarket) => ({
  ...listed(market),
  status: market.active === false ? "offline" : "online",
  minTradeAmount: market.minAmount,
  pricePrecision: `${places(market.priceStep)}`,
  quantityPrecision: `${places(market.amountStep)}`,
  quotePrecision: "8"
})

/** A price step of 0.5 is told as 5 in the first place after the point. */
const contract = (market: StubMarket) => ({
  ...listed(market),
  symbolType: "perpetual",
  symbolStatus: market.active === false ? "off" : "normal",
  supportMarginCoins: [quoteOf(market.pair)],
  minTradeNum: market.minAmount,
  pricePlace: `${places(market.priceStep)}`,
  priceEndStep: market.priceStep.replace(".", "").replace(/^0+/, ""),
  volumePlace: `${places(market.amountStep)}`,
  sizeMultiplier: market.amountStep
})

const daily = (market: StubMarket, { ask, bid, last }: Quote, at: number) => ({
  symbol: idOf(market),
  lastPr: plain(last),
  askPr: plain(ask),
  askSz: "1",
  bidPr: plain(bid),
  bidSz: "1",
  baseVolume: "1",
  quoteVolume: "1",
  ts: `${at}`,
  ...(market.kind === "swap" ? { markPrice: plain(last), indexPrice: plain(last) } : {})
})

interface Topic {
  readonly instType: string
  readonly channel: string
  readonly instId: string
}

const hear = (text: string, line: Line, board: Board): ReadonlyArray<string> => {
  if (text === "ping") return ["pong"]
  const asked: { op: string; args?: ReadonlyArray<Topic> } = JSON.parse(text)
  return (asked.args ?? []).map((arg) => {
    const market = board.markets.find((each) => idOf(each) === arg.instId && typeOf(each) === arg.instType)
    if (market === undefined) {
      const msg = `instType:${arg.instType},channel:${arg.channel},instId:${arg.instId} doesn't exist`
      return JSON.stringify({ event: "error", arg, code: 30001, msg, op: asked.op })
    }
    if (asked.op === "subscribe") line.subscribe(arg.channel, market)
    if (asked.op === "unsubscribe") line.unsubscribe(arg.channel, market)
    return JSON.stringify({ event: asked.op, arg })
  })
}

const told = (market: StubMarket, channel: string, at: number, data: string): string => {
  const arg = `{"instType":"${typeOf(market)}","channel":"${channel}","instId":"${idOf(market)}"}`
  return `{"action":"snapshot","arg":${arg},"data":[${data}],"ts":${at}}`
}

const quoted = (market: StubMarket, quote: Quote, line: Line, at: number): ReadonlyArray<string> => {
  if (!line.has("ticker", market)) return []
  const prices = `"lastPr":"${plain(quote.last)}","bidPr":"${plain(quote.bid)}","askPr":"${plain(quote.ask)}"`
  const data = `{"instId":"${idOf(market)}",${prices},"bidSz":"1","askSz":"1","ts":"${at}"}`
  return [told(market, "ticker", at, data)]
}

const traded = (market: StubMarket, print: Print, line: Line): ReadonlyArray<string> => {
  if (!line.has("trade", market)) return []
  const size = `"price":"${plain(print.price)}","size":"${plain(print.amount)}","side":"${print.side}"`
  return [told(market, "trade", print.at, `{"ts":"${print.at}",${size},"tradeId":"${print.id}"}`)]
}

/** One host for REST, one for the streams of all markets; USDT perpetuals are a product type. */
export const bitget: Protocol = {
  name: "bitget",
  rest,
  refusal: (status) =>
    status === 429 ? { code: "429", msg: "Too Many Requests", requestTime: 0, data: null } : undefined,
  greet: () => [],
  hear,
  snapshots: true,
  quoted,
  traded
}
