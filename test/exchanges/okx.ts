import { quoteOf } from "../../src/domain/Market.ts"
import { over, plain } from "./numbers.ts"
import type { Board, Line, Print, Protocol, Quote, RestRequest, StubMarket } from "./Protocol.ts"

/** What a contract is worth in the base asset, unless a market says otherwise. */
const CONTRACT = "0.01"

const pairOf = (market: StubMarket): string => market.pair.replace("/", "-")
const idOf = (market: StubMarket): string =>
  market.kind === "spot" ? pairOf(market) : `${pairOf(market)}-SWAP`
const typeOf = (market: StubMarket): string => market.kind.toUpperCase()
/** Swaps are counted in contracts. */
const sizeOf = (market: StubMarket, amount: string): string =>
  market.kind === "spot" ? amount : over(amount, market.contractSize ?? CONTRACT)

const rest = ({ path, query }: RestRequest, board: Board): unknown => {
  const type = query.get("instType")
  const id = query.get("instId")
  const chosen = board.markets.filter(
    (market) => (type === null || typeOf(market) === type) && (id === null || idOf(market) === id)
  )
  const answer = (data: unknown) => ({ code: "0", msg: "", data })
  switch (path) {
    case "/api/v5/public/time":
      return answer([{ ts: `${board.now()}` }])
    case "/api/v5/public/instruments":
      return answer(chosen.map(listed))
    case "/api/v5/market/tickers":
    case "/api/v5/market/ticker":
      return answer(chosen.map((market) => daily(market, board.quote(market), board.now())))
    default:
      return undefined
  }
}

const listed = (market: StubMarket) => {
  const [base, quote] = market.pair.split("/")
  return {
    instType: typeOf(market),
    instId: idOf(market),
    state: market.active === false ? "suspend" : "live",
    tickSz: market.priceStep,
    lotSz: sizeOf(market, market.amountStep),
    minSz: sizeOf(market, market.minAmount),
    ...(market.kind === "spot"
      ? { baseCcy: base, quoteCcy: quote, settleCcy: "", uly: "", ctVal: "", lever: "10" }
      : {
          baseCcy: "",
          quoteCcy: "",
          settleCcy: quoteOf(market.pair),
          uly: pairOf(market),
          ctVal: market.contractSize ?? CONTRACT,
          ctValCcy: base,
          ctType: "linear",
          lever: "50"
        })
  }
}

const daily = (market: StubMarket, { ask, bid, last }: Quote, at: number) => ({
  instType: typeOf(market),
  instId: idOf(market),
  last: plain(last),
  lastSz: "1",
  askPx: plain(ask),
  askSz: "1",
  bidPx: plain(bid),
  bidSz: "1",
  vol24h: "1",
  volCcy24h: "1",
  ts: `${at}`
})

interface Topic {
  readonly channel: string
  readonly instId: string
}

const hear = (text: string, line: Line, board: Board): ReadonlyArray<string> => {
  if (text === "ping") return ["pong"]
  const asked: { op: string; args?: ReadonlyArray<Topic> } = JSON.parse(text)
  return (asked.args ?? []).map((arg) => {
    const market = board.markets.find((each) => idOf(each) === arg.instId)
    if (market === undefined) {
      const msg = `Wrong URL or channel:${arg.channel},instId:${arg.instId} doesn't exist.`
      return JSON.stringify({ event: "error", code: "60018", msg, connId: "stub" })
    }
    if (asked.op === "subscribe") line.subscribe(arg.channel, market)
    if (asked.op === "unsubscribe") line.unsubscribe(arg.channel, market)
    return JSON.stringify({ event: asked.op, arg, connId: "stub" })
  })
}

const quoted = (market: StubMarket, quote: Quote, line: Line, at: number): ReadonlyArray<string> => {
  const id = idOf(market)
  const frames: Array<string> = []
  if (line.has("tickers", market)) {
    const sizes = `"instType":"${typeOf(market)}","instId":"${id}","lastSz":"1","askSz":"1","bidSz":"1"`
    const prices = `"last":"${plain(quote.last)}","askPx":"${plain(quote.ask)}","bidPx":"${plain(quote.bid)}"`
    frames.push(`{"arg":{"channel":"tickers","instId":"${id}"},"data":[{${sizes},${prices},"ts":"${at}"}]}`)
  }
  if (line.has("bbo-tbt", market)) {
    const sides = `"asks":[["${plain(quote.ask)}","1","0","1"]],"bids":[["${plain(quote.bid)}","1","0","1"]]`
    const data = `{${sides},"ts":"${at}","seqId":${line.next()}}`
    frames.push(`{"arg":{"channel":"bbo-tbt","instId":"${id}"},"data":[${data}]}`)
  }
  return frames
}

const traded = (market: StubMarket, print: Print, line: Line): ReadonlyArray<string> => {
  if (!line.has("trades", market)) return []
  const id = idOf(market)
  const size = `"px":"${plain(print.price)}","sz":"${sizeOf(market, plain(print.amount))}","side":"${print.side}"`
  const data = `{"instId":"${id}","tradeId":"${print.id}",${size},"ts":"${print.at}","count":"1"}`
  return [`{"arg":{"channel":"trades","instId":"${id}"},"data":[${data}]}`]
}

/** One host for REST, one for the streams of all markets. */
export const okx: Protocol = {
  name: "okx",
  rest,
  refusal: (status) => (status < 500 ? { code: "50011", msg: "Too Many Requests", data: [] } : undefined),
  greet: () => [],
  hear,
  snapshots: true,
  quoted,
  traded
}
