// https://www.kucoin.com/docs-new: rest/spot-trading/orders (the "hf" account, which all are by now),
// rest/futures-trading.
import * as Decimal from "../../../src/domain/Decimal.ts"
import { contractSizeOf, id as idOf } from "../kucoin.ts"
import { over } from "../numbers.ts"
import type { RestRequest, StubMarket } from "../Protocol.ts"
import { isBelow, isDone, isFillOf, isOpen, key, marketOf, orderOf, orZero, says, text } from "./common.ts"
import type { Desk } from "./Desk.ts"
import { refuse } from "./Flaw.ts"
import type { Fill, Order, Ticket } from "./Order.ts"
import { Params } from "./Params.ts"
import type { Kind, Private } from "./Private.ts"
import { isStale, sha256 } from "./signing.ts"
import { WORDS } from "./words/kucoin.ts"

type Route = readonly [string, RegExp, Kind]

/** Method, path, kind; the last part of a path may be an id. */
const SPOT: ReadonlyArray<Route> = [
  ["GET", /^\/api\/v1\/timestamp$/, "time"],
  ["POST", /^\/api\/v1\/(hf\/orders(\/sync)?|stop-order)$/, "place"],
  ["DELETE", /^\/api\/v1\/(hf\/orders|stop-order)\//, "cancel"],
  ["GET", /^\/api\/v1\/hf\/orders\/active$/, "open"],
  ["GET", /^\/api\/v1\/hf\/orders\/done$/, "closed"],
  ["GET", /^\/api\/v1\/stop-order$/, "open"],
  ["GET", /^\/api\/v1\/(hf\/orders|stop-order)\//, "order"],
  ["GET", /^\/api\/v1\/hf\/fills$/, "trades"],
  ["GET", /^\/api\/v1\/accounts$/, "balance"],
  ["GET", /^\/api\/v1\/user\/api-key$/, "permissions"],
  ["GET", /^\/api\/(v1\/hf\/accounts\/opened|ua\/v1\/account\/mode)$/, "account"],
  ["GET", /^\/api\/(v3\/margin|v1\/isolated)\/symbols$/, "account"]
]
const SWAP: ReadonlyArray<Route> = [
  ["GET", /^\/api\/v1\/timestamp$/, "time"],
  ["POST", /^\/api\/v1\/(orders|st-orders)$/, "place"],
  ["DELETE", /^\/api\/v1\/orders\//, "cancel"],
  ["GET", /^\/api\/v1\/orders\//, "order"],
  ["GET", /^\/api\/v1\/stopOrders$/, "open"],
  ["GET", /^\/api\/v1\/orders$/, "closed"],
  ["GET", /^\/api\/v1\/fills$/, "trades"],
  ["GET", /^\/api\/v1\/account-overview$/, "balance"],
  ["GET", /^\/api\/v1\/positions$/, "positions"],
  ["GET", /^\/api\/v2\/position\/getMarginMode$/, "account"],
  ["POST", /^\/api\/v2\/(changeCrossUserLeverage|position\/changeMarginMode)$/, "leverage"]
]
const isSwap = ({ host }: RestRequest): boolean => host.startsWith("api-futures")

const kindOf: Private["kindOf"] = (request) => {
  const { method, path, query } = request
  const found = (isSwap(request) ? SWAP : SPOT).find(([verb, shape]) => verb === method && shape.test(path))
  return found?.[2] === "closed" && query.get("status") === "active" ? "open" : found?.[2]
}

const flawOf: Private["flawOf"] = (request, { apiKey, password = "", secret }, now) => {
  const { body, headers, method, target } = request
  const stamp = headers.get("KC-API-TIMESTAMP") ?? ""
  if (headers.get("KC-API-KEY") === null) return "no_key"
  if (!says(request, "KC-API-KEY", apiKey)) return "bad_key"
  if (!says(request, "KC-API-PASSPHRASE", sha256(password, secret, "base64"))) return "bad_passphrase"
  if (!says(request, "KC-API-SIGN", sha256(stamp + method + target + body, secret, "base64")))
    return "bad_signature"
  return isStale(Number(stamp), now, 5000, 5000) ? "clock" : undefined
}

const inBase = (market: StubMarket, size: Decimal.Decimal) =>
  market.kind === "spot" ? size : Decimal.product(size, Decimal.unsafeFromText(contractSizeOf(market)))
const size = (market: StubMarket, amount: Decimal.Decimal) =>
  market.kind === "spot" ? text(amount) : over(text(amount), contractSizeOf(market))

const ticketOf = (params: Params, market: StubMarket, { board }: Desk): Ticket => {
  const side = params.need("side") === "buy" ? "buy" : "sell"
  const type = params.text("type") === "market" ? "market" : "limit"
  const amount = params.decimal("size")
  const level = params.decimal("stopPrice")
  const way = params.text("stop")
  const isAbove =
    level !== undefined && Decimal.greaterThan(level, Decimal.fromNumber(board.quote(market).last))
  const tif = params.text("timeInForce")?.toLowerCase()
  return {
    ...{ market, side, type },
    amount: amount === undefined ? undefined : inBase(market, amount),
    cost: params.decimal("funds"),
    price: type === "limit" ? params.some("price") : undefined,
    trigger:
      level === undefined
        ? undefined
        : { price: level, rising: way === undefined ? isAbove : way === "entry" || way === "up" },
    tif: params.text("postOnly") === "true" ? "post_only" : tif === "ioc" || tif === "fok" ? tif : "gtc",
    reduceOnly: params.text("reduceOnly") === "true",
    clientId: params.text("clientOid")
  }
}

const perform: Private["perform"] = (request, desk) => {
  const { book } = desk
  const { method, path, query } = request
  const params = method === "POST" ? Params.json(request.body) : Params.query(query)
  const kind = isSwap(request) ? "swap" : "spot"
  const symbol = params.text("symbol")
  const market =
    symbol === undefined ? undefined : marketOf(desk, (each) => each.kind === kind && idOf(each) === symbol)
  const isStop = path.includes("/stop")
  const ours = ({ status, ticket }: Order) =>
    ticket.market.kind === kind &&
    (market === undefined || ticket.market === market) &&
    (isStop ? ticket.trigger !== undefined : status !== "waiting")
  const last = decodeURIComponent(path.split("/").at(-1) ?? "")
  const isByClient = /client-?o/i.test(path)
  const one = (): Order | undefined =>
    orderOf(desk, isByClient ? undefined : last, query.get("clientOid") ?? last)
  const page = (items: ReadonlyArray<unknown>) => ({ ...PAGE, items: pageIn(params, items) })
  const answer = (): unknown => {
    switch (kindOf(request)) {
      case "place": {
        // Isolated margin's leverage comes with each order.
        const leverage = kind === "swap" ? params.number("leverage") : undefined
        if (leverage !== undefined && market !== undefined) book.positions.set(market, { leverage })
        const order = book.place(ticketOf(params, market ?? refuse("unknown_market"), desk))
        return { orderId: order.id, clientOid: order.ticket.clientId }
      }
      case "cancel": {
        const order = one() ?? refuse("not_open")
        book.cancel(order)
        if (isStop || kind === "swap")
          return isByClient
            ? { clientOid: last, cancelledOrderId: order.id }
            : { cancelledOrderIds: [order.id] }
        return isByClient ? { clientOid: last } : { orderId: order.id }
      }
      case "order": {
        const order = one() ?? refuse("unknown_order")
        // Stops of spot wait elsewhere.
        if (kind === "spot" && isStop !== (order.status === "waiting")) refuse("unknown_order")
        return isStop && isByClient ? [told(order)] : told(order)
      }
      case "open": {
        const open = book.visible
          .filter((order) => isOpen(order) && ours(order))
          .map(told)
          .reverse()
        return kind === "spot" && !isStop ? open : page(open)
      }
      case "closed":
        return page(
          book.visible
            .filter((order) => isDone(order) && ours(order))
            .map(told)
            .reverse()
        )
      case "trades": {
        const orderId = query.get("orderId")
        const fills = book.fills
          .filter(isFillOf(market))
          .filter(({ order }) => order.ticket.market.kind === kind)
          .filter(({ order }) => orderId === null || order.id === orderId)
          .map(trade)
          .reverse()
        if (kind === "swap") return page(fills)
        const below = fills.filter(({ id }) => isBelow(id, query.get("lastId") ?? undefined))
        return page(below.slice(0, Math.min(100, Number(query.get("limit") ?? 20))))
      }
      case "balance":
        return kind === "spot" ? accounts(desk) : overview(desk, query.get("currency") ?? "USDT")
      case "permissions":
        return rights(desk)
      case "positions":
        return book.positions.all.map((each) => ({
          symbol: idOf(each.market),
          isOpen: true,
          currentQty: Number(size(each.market, each.amount)),
          avgEntryPrice: text(each.entry),
          posMargin: text(each.margin),
          ...{ marginMode: "ISOLATED", positionSide: "BOTH", markPrice: desk.board.quote(each.market).last }
        }))
      case "leverage": {
        const leverage = params.number("leverage")
        const mode = params.text("marginMode") === "ISOLATED" ? "isolated" : "cross"
        const slot = market ?? refuse("unknown_market")
        if (leverage === undefined && book.isInUse(slot)) refuse("in_use")
        book.positions.set(slot, leverage === undefined ? { mode } : { leverage })
        return leverage === undefined ? { symbol, marginMode: params.text("marginMode") } : true
      }
      default:
        if (market !== undefined)
          return { symbol, marginMode: book.positions.setting(market).mode.toUpperCase() }
        // No pair can be traded on margin.
        if (path.endsWith("symbols")) return path.includes("isolated") ? [] : { items: [] }
        return path.endsWith("mode") ? { selfAccountMode: "CLASSIC" } : true
    }
  }
  return { code: "200000", data: answer() }
}

const PAGE = { lastId: 1, currentPage: 1, totalPage: 1 }
/** Pages have numbers from 1; what is told from an id on is cut before. */
const pageIn = (params: Params, items: ReadonlyArray<unknown>) => {
  const size = Math.min(params.number("pageSize") ?? params.number("limit") ?? 20, 100)
  const from = ((params.number("currentPage") ?? 1) - 1) * size
  return items.slice(from, from + size)
}

const told = (order: Order) => {
  const { clientId, cost, market, price, reduceOnly, side, tif, trigger, type } = order.ticket
  return {
    id: order.id,
    clientOid: clientId,
    symbol: idOf(market),
    type,
    side,
    price: orZero(price),
    size: cost === undefined ? size(market, order.amount) : "0",
    funds: orZero(cost),
    dealSize: size(market, order.filled),
    dealFunds: text(order.paid),
    ...(market.kind === "swap"
      ? { filledSize: Number(size(market, order.filled)), filledValue: text(order.paid) }
      : {}),
    fee: text(order.fee),
    feeCurrency: order.feeAsset ?? "USDT",
    stp: "",
    ...(trigger === undefined
      ? {}
      : {
          stop: trigger.rising ? "entry" : "loss",
          stopPrice: text(trigger.price),
          stopTriggered: order.status !== "waiting",
          status: order.status === "waiting" ? "NEW" : "TRIGGERED"
        }),
    timeInForce: tif === "ioc" ? "IOC" : tif === "fok" ? "FOK" : "GTC",
    postOnly: tif === "post_only",
    reduceOnly: reduceOnly === true,
    active: !order.isDone,
    isActive: !order.isDone,
    inOrderBook: order.status === "open",
    cancelExist: order.status === "cancelled",
    createdAt: order.createdAt,
    lastUpdatedAt: order.updatedAt,
    tradeType: "TRADE"
  }
}

const trade = (fill: Fill) => ({
  id: Number(fill.id),
  tradeId: fill.id,
  orderId: fill.order.id,
  symbol: idOf(fill.order.ticket.market),
  side: fill.order.ticket.side,
  liquidity: fill.isMaker ? "maker" : "taker",
  type: fill.order.ticket.type,
  price: text(fill.price),
  size: size(fill.order.ticket.market, fill.amount),
  ...(fill.order.ticket.market.kind === "spot"
    ? { funds: text(fill.cost) }
    : { value: text(fill.cost), tradeTime: fill.at * 1_000_000 }),
  fee: text(fill.fee),
  feeRate: text(fill.feeRate),
  feeCurrency: fill.feeAsset,
  createdAt: fill.at
})

const accounts = ({ book }: Desk) =>
  [...book.funds.all].map(([currency, { free, held }]) => ({
    ...{ id: `account-${currency}`, currency, type: "trade_hf" },
    balance: text(Decimal.add(free, held)),
    available: text(free),
    holds: text(held)
  }))

const overview = ({ book }: Desk, currency: string) => ({
  currency,
  accountEquity: text(book.funds.total(currency)),
  marginBalance: text(book.funds.total(currency)),
  availableBalance: text(book.funds.of(currency).free),
  ...{ unrealisedPNL: 0, positionMargin: text(book.funds.of(currency).held), orderMargin: 0, frozenFunds: 0 }
})

const rights = ({ credentials, permissions }: Desk) => ({
  ...{ remark: "stub", apiKey: credentials.apiKey, apiVersion: 3, uid: 165111215, isMaster: true },
  permission: [
    "General",
    ...(permissions.trade ? ["Spot", "Futures"] : []),
    ...(permissions.withdraw ? ["Withdrawal"] : [])
  ].join(",")
})

/**
 * Fees are taken in the quote asset, on top of the cost. A client's id: 40 of letters, digits, dash and underscore;
 * whether a done order's can be used again is told nowhere clearly: taken as never.
 */
export const kucoin: Private = {
  name: "kucoin",
  credentials: key("kucoin", "kucoin passphrase"),
  policy: {
    ...{ fees: "quote", ids: "ever" },
    isId: (id) => /^[A-Za-z0-9_-]{1,40}$/.test(id),
    orderId: (number) => `670fd33bf9406e000${number.toString(16).padStart(7, "0")}`,
    fillId: (number) => `${11_029_000_000_000 + number}`
  },
  kindOf,
  flawOf,
  perform,
  refusal: (flaw) => {
    const [code, msg, status = 200] = WORDS[flaw]
    return { status, body: { code, msg } }
  }
}
