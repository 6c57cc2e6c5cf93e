// https://www.bitget.com/api-doc: spot/trade/Place-Order, contract/trade/Place-Order, spot/error-code/restapi.
import * as Decimal from "../../../src/domain/Decimal.ts"
import { quoteOf } from "../../../src/domain/Market.ts"
import type { RestRequest, StubMarket } from "../Protocol.ts"
import { balances, idOf, named, pending, plan, planned, told, trade } from "./bitgetTells.ts"
import {
  childIdOf,
  childOf,
  isDone,
  isFillOf,
  isOpen,
  key,
  kindsOf,
  marketOf,
  orderOf,
  orZero,
  pageBelow,
  says,
  text
} from "./common.ts"
import type { Desk } from "./Desk.ts"
import { refuse } from "./Flaw.ts"
import type { Order, Ticket } from "./Order.ts"
import { Params } from "./Params.ts"
import type { Private } from "./Private.ts"
import { isStale, sha256 } from "./signing.ts"
import { WORDS } from "./words/bitget.ts"

const isMix = ({ path }: RestRequest): boolean => path.startsWith("/api/v2/mix/")

const KINDS = kindsOf({
  "GET /api/v2/public/time": "time",
  "POST /api/v2/spot/trade/place-order": "place",
  "POST /api/v2/spot/trade/place-plan-order": "place",
  "POST /api/v2/spot/trade/cancel-order": "cancel",
  "POST /api/v2/spot/trade/cancel-plan-order": "cancel",
  "GET /api/v2/spot/trade/orderInfo": "order",
  "GET /api/v2/spot/trade/unfilled-orders": "open",
  "GET /api/v2/spot/trade/current-plan-order": "open",
  "GET /api/v2/spot/trade/history-orders": "closed",
  "GET /api/v2/spot/trade/history-plan-order": "closed",
  "GET /api/v2/spot/trade/plan-sub-order": "order",
  "GET /api/v2/spot/trade/fills": "trades",
  "GET /api/v2/spot/account/assets": "balance",
  "GET /api/v2/spot/account/info": "permissions",
  "GET /api/v3/account/settings": "account",
  "GET /api/v2/mix/account/account": "account",
  "POST /api/v2/mix/order/place-order": "place",
  "POST /api/v2/mix/order/place-plan-order": "place",
  "POST /api/v2/mix/order/place-tpsl-order": "place",
  "POST /api/v2/mix/order/cancel-order": "cancel",
  "POST /api/v2/mix/order/cancel-plan-order": "cancel",
  "GET /api/v2/mix/order/detail": "order",
  "GET /api/v2/mix/order/orders-pending": "open",
  "GET /api/v2/mix/order/orders-plan-pending": "open",
  "GET /api/v2/mix/order/orders-history": "closed",
  "GET /api/v2/mix/order/orders-plan-history": "closed",
  "GET /api/v2/mix/order/plan-sub-order": "order",
  "GET /api/v2/mix/order/fills": "trades",
  "GET /api/v2/mix/account/accounts": "balance",
  "GET /api/v2/mix/position/all-position": "positions",
  "POST /api/v2/mix/account/set-leverage": "leverage",
  "POST /api/v2/mix/account/set-margin-mode": "leverage"
})

const flawOf: Private["flawOf"] = (request, { apiKey, password = "", secret }, now) => {
  const { body, headers, method, target } = request
  const stamp = headers.get("ACCESS-TIMESTAMP") ?? ""
  if (headers.get("ACCESS-KEY") === null) return "no_key"
  if (!says(request, "ACCESS-KEY", apiKey)) return "bad_key"
  if (!says(request, "ACCESS-PASSPHRASE", password)) return "bad_passphrase"
  if (!says(request, "ACCESS-SIGN", sha256(stamp + method + target + body, secret, "base64")))
    return "bad_signature"
  return isStale(Number(stamp), now, 30_000, 30_000) ? "clock" : undefined
}

const ticketOf = (params: Params, market: StubMarket, { board }: Desk): Ticket => {
  const isLong = params.text("holdSide") === "buy" || params.text("holdSide") === "long"
  const side = (params.text("side") ?? (isLong ? "sell" : "buy")) === "buy" ? "buy" : "sell"
  const type = params.text("orderType") === "market" ? "market" : "limit"
  const level = params.decimal("triggerPrice")
  const force = params.text("force")?.toLowerCase()
  // The size of a market buy of spot is what it costs.
  const isCost = market.kind === "spot" && type === "market" && side === "buy"
  const price = params.decimal("price") ?? params.decimal("executePrice")
  const isAbove =
    level !== undefined && Decimal.greaterThan(level, Decimal.fromNumber(board.quote(market).last))
  const plan = params.text("planType")
  return {
    ...{ market, side, type },
    amount: isCost ? undefined : params.some("size"),
    cost: isCost ? params.some("size") : undefined,
    price: type === "limit" ? (price ?? refuse("bad_request")) : undefined,
    trigger:
      level === undefined
        ? undefined
        : {
            price: level,
            rising: plan === "pos_loss" ? side === "buy" : plan === "pos_profit" ? side === "sell" : isAbove
          },
    tif: force === "ioc" || force === "fok" || force === "post_only" ? force : "gtc",
    reduceOnly: params.text("reduceOnly") === "YES" || plan?.startsWith("pos_") === true,
    clientId: params.text("clientOid")
  }
}

const perform: Private["perform"] = (request, desk) => {
  const { book } = desk
  const { method, path, query } = request
  const all = method === "POST" ? Params.json(request.body) : Params.query(query)
  const [params = all] = all.each("orderIdList")
  const kind = isMix(request) ? "swap" : "spot"
  const symbol = all.text("symbol")
  const market =
    symbol === undefined ? undefined : marketOf(desk, (each) => each.kind === kind && idOf(each) === symbol)
  const isPlan = path.includes("plan")
  // What waits for a price is kept apart, and stays there once it went off.
  const isHere = ({ ticket: { trigger }, wentOff }: Order) =>
    isPlan ? trigger !== undefined : trigger === undefined || wentOff
  const ours = (order: Order) =>
    order.ticket.market.kind === kind &&
    (market === undefined || order.ticket.market === market) &&
    isHere(order)
  const [id, clientId] = [params.text("orderId"), params.text("clientOid")]
  const one = (): Order | undefined => {
    const order = childOf(desk, id) ?? orderOf(desk, id, clientId)
    return order !== undefined && (isPlan || order.ticket.trigger === undefined || id !== order.id)
      ? order
      : undefined
  }
  const children = (of: string | undefined) => {
    const order = book.visible.find((each) => each.id === of && each.ticket.trigger !== undefined)
    if (order === undefined) return refuse("unknown_order")
    const { price, type } = order.ticket
    return order.wentOff ? [{ orderId: childIdOf(order), price: orZero(price), type, status: "success" }] : []
  }
  const listed = (orders: ReadonlyArray<Order>) =>
    pageBelow(orders, params.text("idLessThan"), params.number("limit") ?? 20)
  const page = (rows: ReadonlyArray<unknown>, name: string) =>
    kind === "swap" || isPlan ? { [name]: rows, endId: "1" } : rows
  const answer = (): unknown => {
    switch (KINDS(request)) {
      case "place":
        return (isPlan ? planned : named)(
          book.place(ticketOf(params, market ?? refuse("unknown_market"), desk))
        )
      case "cancel": {
        const order = one() ?? refuse("not_open")
        if (isPlan && order.wentOff) refuse("not_open")
        book.cancel(order)
        return isPlan && kind === "spot"
          ? { result: "success" }
          : isPlan
            ? { successList: [planned(order)], failureList: [] }
            : named(order)
      }
      // An order that it does not know is an empty list to spot, and an error to contracts.
      case "order": {
        if (isPlan) return children(params.text("planOrderId"))
        const order = one()
        if (kind === "swap") return told(order ?? refuse("unknown_order"))
        return order === undefined ? [] : [told(order)]
      }
      case "open": {
        const isWaiting = (order: Order) => isOpen(order) && !(isPlan && order.wentOff)
        const open = listed(book.visible.filter((order) => isWaiting(order) && ours(order)).reverse())
        return page(
          open.map(isPlan ? plan : kind === "spot" ? pending : told),
          isPlan && kind === "spot" ? "orderList" : "entrustedList"
        )
      }
      case "closed": {
        const isOver = (order: Order) => isDone(order) || (isPlan && order.wentOff)
        const done = listed(book.visible.filter((order) => isOver(order) && ours(order)).reverse())
        return page(done.map(isPlan ? plan : told), isPlan && kind === "spot" ? "orderList" : "entrustedList")
      }
      case "trades": {
        const fills = book.fills
          .filter(isFillOf(market))
          .filter(
            ({ order }) =>
              order.ticket.market.kind === kind && (id === undefined || named(order).orderId === id)
          )
        const told = pageBelow(fills.toReversed(), params.text("idLessThan"), params.number("limit"))
        return page(told.map(trade), "fillList")
      }
      case "balance":
        return balances(desk, kind)
      case "permissions":
        return {
          ...{ userId: "1", inviterId: "", ips: "", traderType: "trader" },
          authorities: [
            ...["stor", "coor", "cpor", "wtor"],
            ...(desk.permissions.trade ? ["stow", "coow", "cpow"] : []),
            ...(desk.permissions.withdraw ? ["wwow"] : [])
          ]
        }
      case "positions":
        return book.positions.all.map((each) => ({
          ...{
            symbol: idOf(each.market),
            marginCoin: quoteOf(each.market.pair),
            marginMode: "isolated",
            posMode: "one_way_mode"
          },
          holdSide: Decimal.isNegative(each.amount) ? "short" : "long",
          total: text(Decimal.isNegative(each.amount) ? Decimal.negate(each.amount) : each.amount),
          ...{ openPriceAvg: text(each.entry), marginSize: text(each.margin), unrealizedPL: "0" },
          ...{
            leverage: `${book.positions.setting(each.market).leverage}`,
            markPrice: `${desk.board.quote(each.market).last}`
          }
        }))
      case "leverage": {
        const leverage = params.number("leverage")
        const mode = params.text("marginMode") === "isolated" ? "isolated" : "cross"
        const slot = market ?? refuse("unknown_market")
        // Also to what it is already: "cannot be used when the users have an open position or an order".
        if (leverage === undefined && book.isInUse(slot)) refuse("in_use")
        book.positions.set(slot, leverage === undefined ? { mode } : { leverage })
        return { symbol, marginCoin: params.text("marginCoin"), marginMode: params.text("marginMode") }
      }
      case "account": {
        if (market === undefined) return refuse("bad_request")
        const { leverage, mode } = book.positions.setting(market)
        return {
          ...{ marginCoin: params.text("marginCoin"), marginMode: mode === "isolated" ? mode : "crossed" },
          ...{
            isolatedLongLever: `${leverage}`,
            isolatedShortLever: `${leverage}`,
            crossedMarginLeverage: "20"
          }
        }
      }
      // Only unified accounts have settings there.
      default:
        return refuse("bad_request")
    }
  }
  return { code: "00000", msg: "success", requestTime: desk.now(), data: answer() }
}

/**
 * Fees are taken in what was received. A client's id: 32 of letters, digits and `_-:/.#`; a used one is refused
 * (40786 "Duplicate clientOid"), also after its order is done.
 */
export const bitget: Private = {
  name: "bitget",
  credentials: key("bitget", "bitget passphrase"),
  policy: {
    ...{ fees: "received", ids: "ever" },
    isId: (id) => /^[.A-Za-z0-9:/_#-]{1,32}$/.test(id),
    orderId: (number) => `${1_320_244_799_629_316_000n + BigInt(number)}`,
    fillId: (number) => `${1_420_244_799_629_316_000n + BigInt(number)}`
  },
  kindOf: KINDS,
  flawOf,
  perform,
  refusal: (flaw, _, __, now) => {
    const [code, msg, status = 400] = WORDS[flaw]
    return { status, body: { code, msg, requestTime: now, data: null } }
  }
}
