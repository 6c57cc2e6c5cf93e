// https://developers.binance.com/docs/binance-spot-api-docs: rest-api/trading-endpoints, errors, filters.
import { baseOf, quoteOf } from "../../../src/domain/Market.ts"
import type { RestRequest, StubMarket } from "../Protocol.ts"
import * as swap from "./binanceSwap.ts"
import { isFillOf, isOpen, key, kindsOf, marketOf, orderOf, orZero, says, text } from "./common.ts"
import type { Desk } from "./Desk.ts"
import { type Flaw, refuse } from "./Flaw.ts"
import type { Fill, Order, Ticket } from "./Order.ts"
import { Params } from "./Params.ts"
import type { Private, Reply } from "./Private.ts"
import { isStale, sha256 } from "./signing.ts"

const idOf = ({ pair }: StubMarket): string => baseOf(pair) + quoteOf(pair)

const KINDS = kindsOf({
  ...swap.KINDS,
  "GET /api/v3/time": "time",
  "POST /api/v3/order": "place",
  "DELETE /api/v3/order": "cancel",
  "GET /api/v3/order": "order",
  "GET /api/v3/openOrders": "open",
  "GET /api/v3/allOrders": "closed",
  "GET /api/v3/myTrades": "trades",
  "GET /api/v3/account": "balance",
  "GET /sapi/v1/account/apiRestrictions": "permissions",
  "GET /sapi/v1/capital/config/getall": "account",
  "GET /sapi/v1/margin/allPairs": "account",
  "GET /sapi/v1/margin/isolated/allPairs": "account"
})

const flawOf: Private["flawOf"] = (request, { apiKey, secret }, now) => {
  const signed =
    request.method === "GET" || request.method === "DELETE" ? request.target.split("?")[1] : request.body
  const [, query = "", signature = ""] = /^(.*)&signature=(.*)$/.exec(signed ?? "") ?? []
  if (request.headers.get("X-MBX-APIKEY") === null) return "no_key"
  if (!says(request, "X-MBX-APIKEY", apiKey)) return "bad_key"
  if (sha256(query, secret, "hex") !== signature) return "bad_signature"
  const params = Params.form(query)
  const window = params.number("recvWindow") ?? 5000
  return isStale(params.number("timestamp") ?? Number.NaN, now, window) ? "clock" : undefined
}

const paramsOf = ({ body, method, query }: RestRequest): Params =>
  method === "POST" ? Params.form(body) : Params.query(query)

const TYPES: Readonly<Record<string, Pick<Ticket, "type">["type"]>> = {
  ...{ MARKET: "market", STOP_LOSS: "market", TAKE_PROFIT: "market" },
  ...{ LIMIT: "limit", LIMIT_MAKER: "limit", STOP_LOSS_LIMIT: "limit", TAKE_PROFIT_LIMIT: "limit" }
}

export const ticketOf = (params: Params, market: StubMarket): Ticket => {
  const side = params.need("side") === "BUY" ? "buy" : "sell"
  const kind = params.need("type")
  const type = TYPES[kind] ?? refuse("bad_request")
  const isStop = kind.startsWith("STOP")
  const tif = params.text("timeInForce")
  return {
    market,
    side,
    type,
    amount: params.decimal("quantity"),
    cost: kind === "MARKET" ? params.decimal("quoteOrderQty") : undefined,
    price: type === "limit" ? params.some("price") : undefined,
    trigger:
      isStop || kind.startsWith("TAKE")
        ? { price: params.some("stopPrice"), rising: (side === "buy") === isStop }
        : undefined,
    tif: kind === "LIMIT_MAKER" ? "post_only" : tif === "IOC" ? "ioc" : tif === "FOK" ? "fok" : "gtc",
    clientId: params.text("newClientOrderId")
  }
}

const perform: Private["perform"] = (request, desk) => {
  if (swap.isSwap(request)) return swap.perform(request, desk, paramsOf(request))
  const params = paramsOf(request)
  const { book } = desk
  const symbol = params.text("symbol")
  const market =
    symbol === undefined ? undefined : marketOf(desk, (each) => each.kind === "spot" && idOf(each) === symbol)
  const spot = ({ ticket }: Order) =>
    ticket.market.kind === "spot" && (market === undefined || ticket.market === market)
  const one = (): Order =>
    orderOf(desk, params.text("orderId"), params.text("origClientOrderId")) ??
    refuse(request.method === "DELETE" ? "not_open" : "unknown_order")
  switch (KINDS(request)) {
    case "place":
      return placed(book.place(ticketOf(params, market ?? refuse("unknown_market"))))
    case "cancel": {
      const order = one()
      book.cancel(order)
      return { ...told(order), origClientOrderId: order.ticket.clientId ?? "", clientOrderId: "cancel" }
    }
    case "order":
      return told(one())
    case "open":
      return book.visible.filter((order) => isOpen(order) && spot(order)).map(told)
    case "closed":
      return swap.ordersOf(book.visible.filter(spot), params).map(told)
    case "trades":
      return swap.pageOf(book.fills.filter(isFillOf(market ?? refuse("bad_request"))), params).map(trade)
    case "balance":
      return account(desk)
    case "permissions":
      return {
        ...{ ipRestrict: false, createTime: 1698645219000, enableReading: true, enableFutures: true },
        ...{
          enableWithdrawals: desk.permissions.withdraw,
          enableInternalTransfer: false,
          enableMargin: false
        },
        ...{ enableSpotAndMarginTrading: desk.permissions.trade, permitsUniversalTransfer: false }
      }
    default:
      return []
  }
}

export const statusOf = (order: Order): string => {
  if (order.status === "filled") return "FILLED"
  // What a market order could not find is said to have expired, not to have been cancelled.
  if (order.status === "cancelled") return order.ticket.type === "market" ? "EXPIRED" : "CANCELED"
  return order.isPartial ? "PARTIALLY_FILLED" : "NEW"
}

const typeOf = ({ ticket: { side, tif, trigger, type } }: Order): string => {
  if (trigger === undefined) return tif === "post_only" ? "LIMIT_MAKER" : type.toUpperCase()
  const name = trigger.rising === (side === "buy") ? "STOP_LOSS" : "TAKE_PROFIT"
  return type === "limit" ? `${name}_LIMIT` : name
}

const told = (order: Order) => {
  const { clientId, cost, market, price, side, tif, trigger } = order.ticket
  return {
    symbol: idOf(market),
    orderId: Number(order.id),
    orderListId: -1,
    clientOrderId: clientId ?? `stub${order.id}`,
    price: orZero(price),
    origQty: text(order.amount),
    executedQty: text(order.filled),
    cummulativeQuoteQty: text(order.paid),
    origQuoteOrderQty: orZero(cost),
    status: statusOf(order),
    timeInForce: tif === "ioc" ? "IOC" : tif === "fok" ? "FOK" : "GTC",
    type: typeOf(order),
    side: side.toUpperCase(),
    stopPrice: orZero(trigger?.price),
    icebergQty: "0",
    time: order.createdAt,
    updateTime: order.updatedAt,
    isWorking: order.status !== "waiting",
    workingTime: order.createdAt,
    selfTradePreventionMode: "NONE"
  }
}

const placed = (order: Order) => ({
  ...told(order),
  transactTime: order.createdAt,
  fills: order.fills.map(({ amount, fee, feeAsset, id, price }) => ({
    price: text(price),
    qty: text(amount),
    commission: text(fee),
    commissionAsset: feeAsset,
    tradeId: Number(id)
  }))
})

const trade = (fill: Fill) => ({
  symbol: idOf(fill.order.ticket.market),
  id: Number(fill.id),
  orderId: Number(fill.order.id),
  orderListId: -1,
  price: text(fill.price),
  qty: text(fill.amount),
  quoteQty: text(fill.cost),
  commission: text(fill.fee),
  commissionAsset: fill.feeAsset,
  time: fill.at,
  isBuyer: fill.order.ticket.side === "buy",
  isMaker: fill.isMaker,
  isBestMatch: true
})

const account = ({ book, now, permissions }: Desk) => ({
  ...{ makerCommission: 10, takerCommission: 10, buyerCommission: 0, sellerCommission: 0 },
  // That is the account's right; the key's is told elsewhere.
  ...{ canTrade: permissions.trade, canWithdraw: true, canDeposit: true, accountType: "SPOT" },
  updateTime: now(),
  balances: [...book.funds.all].map(([asset, { free, held }]) => ({
    asset,
    free: text(free),
    locked: text(held)
  })),
  permissions: ["SPOT"]
})

/** Status, code and words. */
const WORDS: Readonly<Record<Flaw, readonly [number, number, string]>> = {
  no_key: [401, -2014, "API-key format invalid."],
  bad_key: [401, -2015, "Invalid API-key, IP, or permissions for action."],
  bad_signature: [400, -1022, "Signature for this request is not valid."],
  bad_passphrase: [401, -2015, "Invalid API-key, IP, or permissions for action."],
  clock: [400, -1021, "Timestamp for this request is outside of the recvWindow."],
  expired: [400, -1021, "Timestamp for this request is outside of the recvWindow."],
  no_permission: [401, -2015, "Invalid API-key, IP, or permissions for action."],
  insufficient: [400, -2010, "Account has insufficient balance for requested action."],
  min_amount: [400, -1013, "Filter failure: LOT_SIZE"],
  min_cost: [400, -1013, "Filter failure: NOTIONAL"],
  amount_step: [400, -1013, "Filter failure: LOT_SIZE"],
  price_step: [400, -1013, "Filter failure: PRICE_FILTER"],
  unknown_market: [400, -1121, "Invalid symbol."],
  closed_market: [400, -1013, "Market is closed."],
  duplicate_id: [400, -2010, "Duplicate order sent."],
  bad_id: [
    ...([400, -1100] as const),
    "Illegal characters found in parameter 'newClientOrderId'; legal range is '^[\\.A-Z\\:/a-z0-9_-]{1,36}$'."
  ],
  unknown_order: [400, -2013, "Order does not exist."],
  not_open: [400, -2011, "Unknown order sent."],
  would_trigger: [400, -2010, "Stop price would trigger immediately."],
  bad_request: [400, -1102, "Mandatory parameter was not sent, was empty/null, or malformed."],
  wrong_mode: [400, -4168, "Unable to adjust to isolated-margin mode under the Multi-Assets mode."],
  in_use: [400, -4048, "Margin type cannot be changed if there exists position."],
  limited: [429, -1003, "Too much request weight used; current limit is 6000 request weight per 1 MINUTE."],
  banned: [418, -1003, "Way too much request weight used; IP banned until 1659146400000."],
  busy: [
    503,
    -1008,
    "Server is currently overloaded with other requests. Please try again in a few minutes."
  ],
  maintenance: [503, 1, "System is under maintenance."],
  timeout: [
    ...([504, -1007] as const),
    "Timeout waiting for response from backend server. Send status unknown; execution status unknown."
  ]
}

const refusal: Private["refusal"] = (flaw, _, request): Reply => {
  const [status, code, msg] = (swap.isSwap(request) ? swap.WORDS[flaw] : undefined) ?? WORDS[flaw]
  return { status, body: { code, msg } }
}

/**
 * Fees are taken in what was received. A client's id may be used again once its order is filled ("Orders with the
 * same newClientOrderID can be accepted only when the previous one is filled"); 36 characters.
 */
export const binance: Private = {
  name: "binance",
  credentials: key("binance"),
  policy: {
    ...{ fees: "received", ids: "open", refusesTriggered: true },
    isId: (id) => /^[.A-Z:/a-z0-9_-]{1,36}$/.test(id),
    orderId: (number) => `${12_569_000_000 + number}`,
    fillId: (number) => `${4_293_000 + number}`
  },
  kindOf: KINDS,
  flawOf,
  perform,
  refusal
}
