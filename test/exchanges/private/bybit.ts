// https://bybit-exchange.github.io/docs/v5: order/create-order, order/open-order, error.
import * as Decimal from "../../../src/domain/Decimal.ts"
import { baseOf, quoteOf } from "../../../src/domain/Market.ts"
import type { RestRequest, StubMarket } from "../Protocol.ts"
import {
  empty,
  isDone,
  isFillOf,
  isOpen,
  key,
  kindsOf,
  marketOf,
  orderOf,
  orZero,
  pageFrom,
  says,
  text
} from "./common.ts"
import type { Desk } from "./Desk.ts"
import { refuse } from "./Flaw.ts"
import type { Fill, Order, Ticket } from "./Order.ts"
import { Params } from "./Params.ts"
import type { Private } from "./Private.ts"
import { isStale, sha256 } from "./signing.ts"
import { WORDS } from "./words/bybit.ts"

const idOf = ({ pair }: StubMarket): string => baseOf(pair) + quoteOf(pair)
const categoryOf = ({ kind }: StubMarket) => (kind === "spot" ? "spot" : "linear")

const KINDS = kindsOf({
  "GET /v5/market/time": "time",
  "POST /v5/order/create": "place",
  "POST /v5/order/cancel": "cancel",
  "GET /v5/order/realtime": "open",
  "GET /v5/order/history": "closed",
  "GET /v5/execution/list": "trades",
  "GET /v5/account/wallet-balance": "balance",
  "GET /v5/user/query-api": "permissions",
  "GET /v5/account/info": "account",
  "GET /v5/asset/coin/query-info": "account",
  "GET /v5/position/list": "positions",
  "POST /v5/position/set-leverage": "leverage",
  "POST /v5/account/set-margin-mode": "leverage"
})

/** One address tells all that is open, and one order by its id. */
const kindOf: Private["kindOf"] = (request) => {
  const kind = KINDS(request)
  const isOne = request.query.has("orderId") || request.query.has("orderLinkId")
  return kind === "open" && isOne ? "order" : kind
}

const flawOf: Private["flawOf"] = (request, { apiKey, secret }, now) => {
  const { body, headers, method, target } = request
  const [stamp, window] = ["X-BAPI-TIMESTAMP", "X-BAPI-RECV-WINDOW"].map((name) => headers.get(name) ?? "")
  if (headers.get("X-BAPI-API-KEY") === null) return "no_key"
  if (!says(request, "X-BAPI-API-KEY", apiKey)) return "bad_key"
  const signed = `${stamp}${apiKey}${window}${method === "POST" ? body : (target.split("?")[1] ?? "")}`
  if (!says(request, "X-BAPI-SIGN", sha256(signed, secret, "hex"))) return "bad_signature"
  return isStale(Number(stamp), now, Number(window)) ? "clock" : undefined
}

const paramsOf = ({ body, method, query }: RestRequest): Params =>
  method === "POST" ? Params.json(body) : Params.query(query)

const TIFS = { IOC: "ioc", FOK: "fok", PostOnly: "post_only" } as const

const ticketOf = (params: Params, market: StubMarket): Ticket => {
  const side = params.need("side") === "Buy" ? "buy" : "sell"
  const type = params.need("orderType") === "Market" ? "market" : "limit"
  const level = params.decimal("triggerPrice")
  const direction = params.text("triggerDirection")
  const tif = params.text("timeInForce")
  // A market buy is counted in the quote coin unless it says otherwise.
  const isCost =
    market.kind === "spot" && type === "market" && side === "buy" && params.text("marketUnit") !== "baseCoin"
  return {
    ...{ market, side, type },
    amount: isCost ? undefined : params.some("qty"),
    cost: isCost ? params.some("qty") : undefined,
    price: type === "limit" ? params.some("price") : undefined,
    trigger:
      level === undefined
        ? undefined
        : { price: level, rising: direction === undefined ? side === "buy" : direction === "1" },
    tif: tif === "IOC" || tif === "FOK" || tif === "PostOnly" ? TIFS[tif] : "gtc",
    reduceOnly: params.text("reduceOnly") === "true",
    clientId: params.text("orderLinkId")
  }
}

const perform: Private["perform"] = (request, desk) => {
  const params = paramsOf(request)
  const { book } = desk
  const category = params.text("category") ?? "spot"
  const symbol = params.text("symbol")
  const market =
    symbol === undefined
      ? undefined
      : marketOf(desk, (each) => categoryOf(each) === category && idOf(each) === symbol)
  const [id, clientId] = [params.text("orderId"), params.text("orderLinkId")]
  const ours = ({ ticket }: Order) =>
    market === undefined ? categoryOf(ticket.market) === category : ticket.market === market
  const named = (order: Order) =>
    (id === undefined || order.id === id) && (clientId === undefined || order.ticket.clientId === clientId)
  const list = (orders: ReadonlyArray<Order>) => ({
    category,
    ...paged(orders.filter((order) => ours(order) && named(order)).map(told), params, 20, 50)
  })
  const answer = (): unknown => {
    switch (KINDS(request)) {
      case "place":
        return ids(book.place(ticketOf(params, market ?? refuse("unknown_market"))))
      case "cancel": {
        const order = orderOf(desk, id, clientId) ?? refuse("not_open")
        book.cancel(order)
        return ids(order)
      }
      // Looked up by its id, an order is told here for a while after it is done.
      case "open":
        return list(id === undefined && clientId === undefined ? book.visible.filter(isOpen) : book.visible)
      case "closed":
        return list(book.visible.filter(isDone))
      case "trades":
        return {
          category,
          ...paged(
            book.fills
              .filter(isFillOf(market))
              .filter(({ order }) => ours(order) && named(order))
              .map(trade),
            params
          )
        }
      case "balance":
        return wallet(desk)
      case "permissions":
        return rights(desk)
      case "positions":
        return { category, list: book.positions.all.map(position(desk)) }
      case "leverage":
        if (market !== undefined) book.positions.set(market, { leverage: params.number("buyLeverage") ?? 1 })
        return {}
      default:
        return request.path.endsWith("info") && request.path.includes("account")
          ? { unifiedMarginStatus: 6, marginMode: "REGULAR_MARGIN" }
          : { rows: [] }
    }
  }
  return { retCode: 0, retMsg: "OK", result: answer(), retExtInfo: {}, time: desk.now() }
}

/** Newest first. Its cursors are written as in an address already. */
const paged = (rows: ReadonlyArray<unknown>, params: Params, usual = 50, most = 100) => {
  const page = pageFrom(
    rows.toReversed(),
    params.text("cursor")?.split(":")[0],
    params.number("limit") ?? usual,
    most
  )
  return { nextPageCursor: page.next === undefined ? "" : `${page.next}%3A0`, list: page.rows }
}

const ids = ({ id, ticket }: Order) => ({ orderId: id, orderLinkId: ticket.clientId ?? "" })

const statusOf = (order: Order): string => {
  if (order.status === "filled") return "Filled"
  if (order.status === "waiting") return "Untriggered"
  const isPartial = Decimal.isPositive(order.filled)
  if (order.status === "cancelled")
    return isPartial && order.ticket.market.kind === "spot" ? "PartiallyFilledCanceled" : "Cancelled"
  return isPartial ? "PartiallyFilled" : "New"
}

const told = (order: Order) => {
  const { cost, market, price, reduceOnly, side, tif, trigger, type } = order.ticket
  return {
    ...ids(order),
    symbol: idOf(market),
    price: orZero(price),
    qty: text(cost ?? order.amount),
    marketUnit: cost === undefined ? "baseCoin" : "quoteCoin",
    side: side === "buy" ? "Buy" : "Sell",
    positionIdx: 0,
    orderStatus: statusOf(order),
    cancelType: order.status === "cancelled" ? "CancelByUser" : "UNKNOWN",
    rejectReason: "EC_NoError",
    avgPrice: empty(order.average),
    leavesQty: text(order.rest),
    cumExecQty: text(order.filled),
    cumExecValue: text(order.paid),
    cumExecFee: text(order.fee),
    cumFeeDetail: order.feeAsset === undefined ? {} : { [order.feeAsset]: text(order.fee) },
    timeInForce: type === "market" || tif === "ioc" ? "IOC" : tif === "post_only" ? "PostOnly" : "GTC",
    orderType: type === "market" ? "Market" : "Limit",
    stopOrderType: trigger === undefined ? "" : "Stop",
    triggerPrice: empty(trigger?.price),
    reduceOnly: reduceOnly === true,
    createdTime: `${order.createdAt}`,
    updatedTime: `${order.updatedAt}`
  }
}

const trade = (fill: Fill) => ({
  ...ids(fill.order),
  symbol: idOf(fill.order.ticket.market),
  side: fill.order.ticket.side === "buy" ? "Buy" : "Sell",
  orderPrice: orZero(fill.order.ticket.price),
  orderQty: text(fill.order.amount),
  orderType: fill.order.ticket.type === "market" ? "Market" : "Limit",
  execFee: text(fill.fee),
  feeCurrency: fill.feeAsset,
  feeRate: text(fill.feeRate),
  execId: fill.id,
  execPrice: text(fill.price),
  execQty: text(fill.amount),
  execValue: text(fill.cost),
  execType: "Trade",
  execTime: `${fill.at}`,
  isMaker: fill.isMaker
})

const wallet = ({ book }: Desk) => ({
  list: [
    {
      accountType: "UNIFIED",
      coin: [...book.funds.all].map(([coin, { free, held }]) => ({
        coin,
        walletBalance: text(Decimal.add(free, held)),
        equity: text(Decimal.add(free, held)),
        locked: text(held),
        availableToWithdraw: "",
        borrowAmount: "0"
      }))
    }
  ]
})

const rights = ({ credentials, permissions }: Desk) => ({
  id: "13770661",
  note: "stub",
  apiKey: credentials.apiKey,
  readOnly: permissions.trade ? 0 : 1,
  secret: "",
  permissions: {
    ContractTrade: permissions.trade ? ["Order", "Position"] : [],
    Spot: permissions.trade ? ["SpotTrade"] : [],
    Wallet: permissions.withdraw ? ["AccountTransfer", "Withdraw"] : ["AccountTransfer"]
  },
  ips: ["*"],
  type: 1,
  uta: 1,
  unified: 0
})

const position =
  (desk: Desk) =>
  ({ amount, entry, margin, market }: ReturnType<Desk["book"]["positions"]["of"]>) => ({
    symbol: idOf(market),
    side: Decimal.isNegative(amount) ? "Sell" : "Buy",
    size: text(Decimal.isNegative(amount) ? Decimal.negate(amount) : amount),
    avgPrice: text(entry),
    positionIM: text(margin),
    leverage: `${desk.book.positions.setting(market).leverage}`,
    markPrice: `${desk.board.quote(market).last}`,
    ...{ positionIdx: 0, tradeMode: 1, unrealisedPnl: "0", liqPrice: "", positionValue: "0" }
  })

/**
 * Fees are taken in what was received. A client's id: 36 of letters, digits, dash and underscore; held by an active
 * order it cannot be used again, and after that for 360 days (docs/fix-api/create-order).
 */
export const bybit: Private = {
  name: "bybit",
  credentials: key("bybit"),
  policy: {
    ...{ fees: "received", ids: "ever" },
    isId: (id) => /^[A-Za-z0-9_-]{1,36}$/.test(id),
    orderId: (number) => `${1_726_025_498_520_715_000n + BigInt(number)}`,
    fillId: (number) => `${2_100_000_000_007_000_000n + BigInt(number)}`
  },
  kindOf,
  flawOf,
  perform,
  refusal: (flaw, kind, request, now) => {
    if (flaw === "banned") return { status: 403, body: "access too frequent" }
    const [code, retMsg, other] = WORDS[flaw]
    const isSwap = kind !== "time" && paramsOf(request).text("category") === "linear"
    const retCode = isSwap ? (other ?? code) : code
    const isKey = flaw === "no_key" || flaw === "bad_key"
    return { status: isKey ? 401 : 200, body: { retCode, retMsg, result: {}, retExtInfo: {}, time: now } }
  }
}
