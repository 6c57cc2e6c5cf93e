import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { baseOf, quoteOf } from "../../src/domain/Market.ts"
import { plain } from "./numbers.ts"
import { pace } from "./Pace.ts"
import type { Board, Line, Print, Protocol, Slot, StubMarket } from "./Protocol.ts"
import { micros } from "./times.ts"

const PRODUCTS = "/api/v3/brokerage/market/products"
const CHANNELS = ["ticker", "ticker_batch", "market_trades", "level2"]

/**
 * Coinbase (Advanced Trade): spot only. The list of products tells the last price, and no bid and ask. A page for
 * people answers whoever asks too often.
 */
export const coinbase: Protocol = {
  name: "coinbase",
  snapshots: true,
  greet: () => [],
  rest: ({ path, query }, board) => {
    switch (path) {
      case "/v2/currencies":
        return { data: [{ id: "USD", name: "US Dollar", min_size: "0.01" }] }
      case "/v2/currencies/crypto":
        return { data: codes(board).map(currency) }
      case "/v2/exchange-rates":
        return {
          data: { currency: "USD", rates: Object.fromEntries(codes(board).map((code) => [code, "1"])) }
        }
      case "/v2/time":
        return { data: { iso: micros(board.now()), epoch: Math.floor(board.now() / 1000) } }
      case "/api/v3/brokerage/time":
        return {
          iso: micros(board.now()),
          epochSeconds: `${Math.floor(board.now() / 1000)}`,
          epochMillis: `${board.now()}`
        }
      case PRODUCTS:
        return products(query, board)
    }
    const market = board.markets.find((market) => path === `${PRODUCTS}/${productId(market)}/ticker`)
    return market === undefined ? undefined : ticker(market, board)
  },
  hear: (text, line, board) =>
    Option.match(decode(text), {
      onNone: () => [failure("invalid message")],
      onSome: (said) => reply(said, line, board)
    }),
  quoted: (market, { bid, ask, last }, line, at) =>
    ["ticker", "ticker_batch"]
      .filter((channel) => line.has(channel, market))
      .map((channel) => {
        const [b, a, l] = [plain(bid), plain(ask), plain(last)]
        return frame(
          channel,
          line,
          at,
          `{"type":"update","tickers":[{"type":"ticker","product_id":"${productId(market)}",` +
            `"price":"${l}","volume_24_h":"1000.5","low_24_h":"${l}","high_24_h":"${l}","low_52_w":"${l}",` +
            `"high_52_w":"${l}","price_percent_chg_24_h":"0","best_bid":"${b}","best_bid_quantity":"1.5",` +
            `"best_ask":"${a}","best_ask_quantity":"2.5"}]}`
        )
      }),
  traded: (market, print, line) =>
    line.has("market_trades", market) ? [trades("update", market, [print], line)] : []
}

const frame = (channel: string, line: Line, at: number, event: string) =>
  `{"channel":"${channel}","client_id":"","timestamp":"${micros(at)}","sequence_num":${line.next() - 1},"events":[${event}]}`

/** Newest first. */
const trades = (type: "snapshot" | "update", market: Slot, prints: ReadonlyArray<Print>, line: Line) => {
  const told = prints
    .toReversed()
    .map(
      ({ id, price, amount, side, at }) =>
        `{"trade_id":"${id}","product_id":"${productId(market)}","price":"${plain(price)}",` +
        `"size":"${plain(amount)}","side":"${side.toUpperCase()}","time":"${micros(at)}"}`
    )
  return frame("market_trades", line, prints.at(-1)?.at ?? 0, `{"type":"${type}","trades":[${told}]}`)
}

const failure = (message: string) => JSON.stringify({ type: "error", message })

const decode = Schema.decodeUnknownOption(
  Schema.parseJson(
    Schema.Struct({
      type: Schema.Literal("subscribe", "unsubscribe"),
      channel: Schema.String,
      product_ids: Schema.optional(Schema.Array(Schema.String))
    })
  )
)
type Said = Option.Option.Value<ReturnType<typeof decode>>

/** A line may say eight things in a second. */
const hurries = pace(8, 1000)

/** Each answer lists all that this line is subscribed to; whoever asks for trades is told the last ones again. */
const reply = (
  { type, channel, product_ids = [] }: Said,
  line: Line,
  board: Board
): ReadonlyArray<string> => {
  if (hurries(line, board.now())) return [failure("rate limit exceeded")]
  const byId = new Map(board.markets.map((market) => [productId(market), market]))
  const unknown = product_ids.find((id) => !byId.has(id))
  if (unknown !== undefined) return [failure(`${unknown} is not a valid product`)]
  const asked = product_ids.flatMap((id) => byId.get(id) ?? [])
  for (const market of asked) line[type](channel, market)
  const held = CHANNELS.map(
    (name) => [name, board.markets.filter((market) => line.has(name, market)).map(productId)] as const
  )
  const subscriptions = Object.fromEntries(held.filter(([, ids]) => ids.length > 0))
  const isTrades = type === "subscribe" && channel === "market_trades"
  return [
    frame("subscriptions", line, board.now(), JSON.stringify({ subscriptions })),
    ...asked
      .filter((market) => isTrades && board.prints(market).length > 0)
      .map((market) => trades("snapshot", market, board.prints(market), line))
  ]
}

const products = (query: URLSearchParams, board: Board) => {
  const ids = query.getAll("product_ids")
  const isSpot = (query.get("product_type") ?? "SPOT") === "SPOT"
  const found = board.markets.filter(
    (market) => isSpot && (ids.length === 0 || ids.includes(productId(market)))
  )
  return { products: found.map((market) => product(market, board)), num_products: found.length }
}

const product = (market: StubMarket, board: Board) => {
  const [base, quote, id] = [baseOf(market.pair), quoteOf(market.pair), productId(market)]
  return {
    product_id: id,
    price: plain(board.quote(market).last),
    price_percentage_change_24h: "0",
    volume_24h: "1000.5",
    volume_percentage_change_24h: "0",
    base_increment: market.amountStep,
    quote_increment: market.priceStep,
    quote_min_size: market.minCost,
    quote_max_size: "150000000",
    base_min_size: market.minAmount,
    base_max_size: "1000000000",
    base_name: base,
    quote_name: quote,
    is_disabled: false,
    status: "online",
    cancel_only: false,
    limit_only: false,
    post_only: false,
    trading_disabled: market.active === false,
    auction_mode: false,
    product_type: "SPOT",
    quote_currency_id: quote,
    base_currency_id: base,
    alias: "",
    alias_to: [],
    view_only: false,
    price_increment: market.priceStep,
    display_name: id,
    product_venue: "CBE",
    approximate_quote_24h_volume: "1000",
    best_bid_price: "",
    best_ask_price: ""
  }
}

const ticker = (market: Slot, board: Board) => {
  const { bid, ask, last } = board.quote(market)
  const trade = { trade_id: "995098663", product_id: productId(market), price: plain(last), size: "0.1" }
  return {
    trades: [{ ...trade, time: micros(board.now()), side: "SELL", bid: "", ask: "", exchange: "coinbase" }],
    best_bid: plain(bid),
    best_ask: plain(ask)
  }
}

const currency = (code: string) => ({
  asset_id: `asset-${code}`,
  code,
  name: code,
  exponent: "8",
  type: "crypto"
})

const codes = (board: Board) =>
  [...new Set(board.markets.flatMap(({ pair }) => [baseOf(pair), quoteOf(pair)]))].filter(
    (code) => code !== "USD"
  )

const productId = ({ pair }: Slot) => pair.replace("/", "-")
