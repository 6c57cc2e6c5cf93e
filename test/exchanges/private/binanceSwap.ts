// https://developers.binance.com/docs/derivatives/usds-margined-futures

import * as Decimal from "../../../src/domain/Decimal.ts"
import { baseOf, quoteOf } from "../../../src/domain/Market.ts"
import type { RestRequest, StubMarket } from "../Protocol.ts"
import { childIdOf, childOf, isFillOf, isOpen, marketOf, orderOf, orZero, text } from "./common.ts"
import type { Desk } from "./Desk.ts"
import { type Flaw, refuse } from "./Flaw.ts"
import type { Fill, Order, Ticket } from "./Order.ts"
import type { Params } from "./Params.ts"
import type { Kind } from "./Private.ts"

const idOf = ({ pair }: StubMarket): string => baseOf(pair) + quoteOf(pair)

export const isSwap = ({ host, path }: RestRequest): boolean =>
  host.startsWith("fapi") || path.startsWith("/fapi")

export const KINDS: Readonly<Record<string, Kind>> = {
  "GET /fapi/v1/time": "time",
  "POST /fapi/v1/order": "place",
  "POST /fapi/v1/algoOrder": "place",
  "DELETE /fapi/v1/order": "cancel",
  "DELETE /fapi/v1/algoOrder": "cancel",
  "GET /fapi/v1/order": "order",
  "GET /fapi/v1/algoOrder": "order",
  "GET /fapi/v1/openOrders": "open",
  "GET /fapi/v1/openAlgoOrders": "open",
  "GET /fapi/v1/allOrders": "closed",
  "GET /fapi/v1/userTrades": "trades",
  "GET /fapi/v2/account": "balance",
  "GET /fapi/v3/account": "balance",
  "GET /fapi/v3/positionRisk": "positions",
  "GET /fapi/v2/positionRisk": "positions",
  "GET /fapi/v1/symbolConfig": "account",
  "POST /fapi/v1/leverage": "leverage",
  "POST /fapi/v1/marginType": "leverage"
}

const ticketOf = (params: Params, market: StubMarket): Ticket => {
  const side = params.need("side") === "BUY" ? "buy" : "sell"
  const kind = params.need("type")
  const isTrigger = kind.startsWith("STOP") || kind.startsWith("TAKE")
  const type = kind === "LIMIT" || kind === "STOP" || kind === "TAKE_PROFIT" ? "limit" : "market"
  const level = params.text("triggerPrice") === undefined ? "stopPrice" : "triggerPrice"
  const tif = params.text("timeInForce")
  return {
    ...{ market, side, type },
    amount: params.some("quantity"),
    price: type === "limit" ? params.some("price") : undefined,
    trigger: isTrigger
      ? { price: params.some(level), rising: (side === "buy") === kind.startsWith("STOP") }
      : undefined,
    tif: tif === "IOC" ? "ioc" : tif === "FOK" ? "fok" : tif === "GTX" ? "post_only" : "gtc",
    reduceOnly: params.text("reduceOnly") === "true",
    clientId: params.text("newClientOrderId") ?? params.text("clientAlgoId")
  }
}

export const perform = (request: RestRequest, desk: Desk, params: Params): unknown => {
  const { book } = desk
  const symbol = params.text("symbol")
  const market =
    symbol === undefined ? undefined : marketOf(desk, (each) => each.kind === "swap" && idOf(each) === symbol)
  const needed = (): StubMarket => market ?? refuse("unknown_market")
  const isAlgo = request.path.toLowerCase().includes("algo")
  const ours = ({ ticket }: Order) =>
    ticket.market.kind === "swap" &&
    (market === undefined || ticket.market === market) &&
    (ticket.trigger !== undefined) === isAlgo
  const say: (order: Order) => object = isAlgo ? conditional : told
  const one = (): Order =>
    orderOf(
      desk,
      params.text("orderId") ?? params.text("algoId"),
      params.text("origClientOrderId") ?? params.text("clientAlgoId")
    ) ?? nothing()
  const nothing = () => refuse(request.method === "DELETE" ? "not_open" : "unknown_order")
  /** Stops are kept apart, and are another order once they went off. */
  const seen = (): Order => {
    const child = isAlgo ? undefined : childOf(desk, params.text("orderId"))
    if (child !== undefined) return child
    const order = one()
    return (order.ticket.trigger !== undefined) === isAlgo ? order : nothing()
  }
  switch (KINDS[`${request.method} ${request.path}`]) {
    case "place":
      return say(book.place(ticketOf(params, needed())))
    case "cancel": {
      const order = seen()
      book.cancel(order)
      return say(order)
    }
    case "order":
      return say(seen())
    case "open":
      return book.visible.filter((order) => isOpen(order) && ours(order)).map(say)
    case "closed":
      return ordersOf(book.visible.filter(ours), params).map(say)
    case "trades":
      return pageOf(book.fills.filter(isFillOf(needed())), params).map(trade)
    case "balance":
      return account(desk)
    case "positions":
      return book.positions.all.map((each) => ({
        symbol: idOf(each.market),
        positionAmt: text(each.amount),
        entryPrice: text(each.entry),
        positionSide: "BOTH",
        isolatedMargin: text(each.margin),
        marginAsset: quoteOf(each.market.pair),
        markPrice: `${desk.board.quote(each.market).last}`,
        ...{ notional: "0", unRealizedProfit: "0", liquidationPrice: "0", updateTime: desk.now() }
      }))
    case "leverage": {
      const leverage = params.number("leverage")
      if (leverage !== undefined) book.positions.set(needed(), { leverage })
      else {
        const mode = params.need("marginType") === "ISOLATED" ? "isolated" : "cross"
        if (book.positions.setting(needed()).mode === mode) refuse("bad_request")
        if (book.isInUse(needed())) refuse("in_use")
        book.positions.set(needed(), { mode })
      }
      return leverage === undefined
        ? { code: 200, msg: "success" }
        : { leverage, maxNotionalValue: "1000000", symbol }
    }
    default: {
      const { leverage, mode } = book.positions.setting(needed())
      return [{ symbol, marginType: mode === "isolated" ? "ISOLATED" : "CROSSED", leverage }]
    }
  }
}

const statusOf = (order: Order): string =>
  order.status === "filled"
    ? "FILLED"
    : order.status === "cancelled"
      ? order.ticket.type === "market" && order.ticket.trigger === undefined
        ? "EXPIRED"
        : "CANCELED"
      : order.isPartial
        ? "PARTIALLY_FILLED"
        : "NEW"

const common = (order: Order) => {
  const { clientId, market, price, reduceOnly, side } = order.ticket
  return {
    symbol: idOf(market),
    side: side.toUpperCase(),
    positionSide: "BOTH",
    price: orZero(price),
    reduceOnly: reduceOnly === true,
    timeInForce: "GTC",
    clientId: clientId ?? `stub${order.id}`
  }
}

const told = (order: Order) => {
  const { clientId, ...shared } = common(order)
  return {
    ...shared,
    orderId: Number(orderIdOf(order)),
    clientOrderId: clientId,
    status: statusOf(order),
    avgPrice: orZero(order.average),
    origQty: text(order.amount),
    executedQty: text(order.filled),
    cumQuote: text(order.paid),
    type: order.ticket.type.toUpperCase(),
    stopPrice: "0",
    workingType: "CONTRACT_PRICE",
    time: order.createdAt,
    updateTime: order.updatedAt
  }
}

const conditional = (order: Order) => {
  const { clientId, ...shared } = common(order)
  return {
    ...shared,
    algoId: Number(order.id),
    clientAlgoId: clientId,
    algoType: "CONDITIONAL",
    orderType: order.ticket.type === "limit" ? "STOP" : "STOP_MARKET",
    algoStatus:
      order.status === "filled" ? "FINISHED" : order.status === "open" ? "TRIGGERED" : statusOf(order),
    actualOrderId: order.wentOff ? childIdOf(order) : "",
    triggerPrice: orZero(order.ticket.trigger?.price),
    quantity: text(order.amount),
    createTime: order.createdAt,
    updateTime: order.updatedAt
  }
}

/** A stop of a perpetual that went off is another order; one of spot stays the same. */
const orderIdOf = (order: Order): string =>
  order.ticket.market.kind === "swap" && order.ticket.trigger !== undefined ? childIdOf(order) : order.id

/** Binance's trades, oldest first: from a number on, or the latest. */
export const pageOf = (fills: ReadonlyArray<Fill>, params: Params): ReadonlyArray<Fill> => {
  const [orderId, fromId] = [params.text("orderId"), params.text("fromId")]
  const limit = Math.min(params.number("limit") ?? 500, 1000)
  const ours = fills.filter(({ order }) => orderId === undefined || orderIdOf(order) === orderId)
  if (fromId === undefined) return ours.slice(-limit)
  return ours.filter(({ id }) => BigInt(id) >= BigInt(fromId)).slice(0, limit)
}

/** Its orders, oldest first: from a time on, or the latest. */
export const ordersOf = (orders: ReadonlyArray<Order>, params: Params): ReadonlyArray<Order> => {
  const since = params.number("startTime")
  const limit = Math.min(params.number("limit") ?? 500, 1000)
  if (since === undefined) return orders.slice(-limit)
  return orders.filter(({ createdAt }) => createdAt >= since).slice(0, limit)
}

const trade = (fill: Fill) => ({
  symbol: idOf(fill.order.ticket.market),
  id: Number(fill.id),
  orderId: Number(orderIdOf(fill.order)),
  side: fill.order.ticket.side.toUpperCase(),
  price: text(fill.price),
  qty: text(fill.amount),
  quoteQty: text(fill.cost),
  commission: text(fill.fee),
  commissionAsset: fill.feeAsset,
  realizedPnl: "0",
  positionSide: "BOTH",
  time: fill.at,
  buyer: fill.order.ticket.side === "buy",
  maker: fill.isMaker
})

const account = ({ book }: Desk) => ({
  assets: [...book.funds.all].map(([asset, { free, held }]) => ({
    asset,
    walletBalance: text(Decimal.add(free, held)),
    marginBalance: text(Decimal.add(free, held)),
    availableBalance: text(free),
    initialMargin: text(held),
    maxWithdrawAmount: text(free)
  })),
  positions: []
})

/** What perpetuals say otherwise than spot. */
export const WORDS: { readonly [flaw in Flaw]?: readonly [number, number, string] } = {
  insufficient: [400, -2019, "Margin is insufficient."],
  min_amount: [400, -4003, "Quantity less than or equal to zero."],
  min_cost: [400, -4164, "Order's notional must be no smaller than 5 (unless you choose reduce only)."],
  amount_step: [400, -1111, "Precision is over the maximum defined for this asset."],
  price_step: [400, -4014, "Price not increased by tick size."],
  closed_market: [400, -4140, "Invalid symbol status for opening position."],
  duplicate_id: [400, -4116, "ClientOrderId is duplicated."],
  bad_id: [400, -4015, "Client order id length should be less than 36 chars."],
  would_trigger: [400, -2021, "Order would immediately trigger."],
  bad_request: [400, -4046, "No need to change margin type."],
  timeout: [
    408,
    -1007,
    "Timeout waiting for response from backend server. Send status unknown; execution status unknown."
  ]
}
