// https://www.okx.com/docs-v5/en: order-book-trading-trade, error-code.
import * as Decimal from "../../../src/domain/Decimal.ts"
import { quoteOf } from "../../../src/domain/Market.ts"
import { over } from "../numbers.ts"
import type { StubMarket } from "../Protocol.ts"
import {
  childIdOf,
  childOf,
  empty,
  isBelow,
  isDone,
  isFillOf,
  isOf,
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
import type { Fill, Order, Ticket } from "./Order.ts"
import { Params } from "./Params.ts"
import type { Private, Reply } from "./Private.ts"
import { isStale, sha256 } from "./signing.ts"
import { WORDS } from "./words/okx.ts"

/** What a contract is worth in the base asset, unless a market says otherwise. */
const CONTRACT = "0.01"
const idOf = ({ kind, pair }: StubMarket): string => pair.replace("/", "-") + (kind === "spot" ? "" : "-SWAP")
const sizeOf = (market: StubMarket, amount: Decimal.Decimal): string =>
  market.kind === "spot" ? text(amount) : over(text(amount), market.contractSize ?? CONTRACT)
const amountOf = (market: StubMarket, size: Decimal.Decimal): Decimal.Decimal =>
  market.kind === "spot"
    ? size
    : Decimal.product(size, Decimal.unsafeFromText(market.contractSize ?? CONTRACT))

const KINDS = kindsOf({
  "GET /api/v5/public/time": "time",
  "POST /api/v5/trade/batch-orders": "place",
  "POST /api/v5/trade/order": "place",
  "POST /api/v5/trade/order-algo": "place",
  "POST /api/v5/trade/cancel-order": "cancel",
  "POST /api/v5/trade/cancel-algos": "cancel",
  "GET /api/v5/trade/order": "order",
  "GET /api/v5/trade/order-algo": "order",
  "GET /api/v5/trade/orders-pending": "open",
  "GET /api/v5/trade/orders-algo-pending": "open",
  "GET /api/v5/trade/orders-history": "closed",
  "GET /api/v5/trade/fills-history": "trades",
  "GET /api/v5/trade/fills": "trades",
  "GET /api/v5/account/balance": "balance",
  "GET /api/v5/account/config": "permissions",
  "GET /api/v5/account/positions": "positions",
  "GET /api/v5/asset/currencies": "account",
  "GET /api/v5/account/leverage-info": "account",
  "POST /api/v5/account/set-leverage": "leverage"
})

const flawOf: Private["flawOf"] = (request, { apiKey, password = "", secret }, now) => {
  const { body, headers, method, target } = request
  const stamp = headers.get("OK-ACCESS-TIMESTAMP") ?? ""
  if (headers.get("OK-ACCESS-KEY") === null) return "no_key"
  if (!says(request, "OK-ACCESS-KEY", apiKey)) return "bad_key"
  if (!says(request, "OK-ACCESS-PASSPHRASE", password)) return "bad_passphrase"
  if (!says(request, "OK-ACCESS-SIGN", sha256(stamp + method + target + body, secret, "base64")))
    return "bad_signature"
  if (isStale(Date.parse(stamp), now, 30_000, 30_000)) return "clock"
  const end = target === "/api/v5/trade/order" ? headers.get("expTime") : null
  return end !== null && Number(end) < now ? "expired" : undefined
}

const ticketOf = (params: Params, market: StubMarket, at: Desk): Ticket => {
  const side = params.need("side") === "buy" ? "buy" : "sell"
  const kind = params.need("ordType")
  const isSl = params.text("slTriggerPx") !== undefined
  const level = params.decimal("triggerPx") ?? params.decimal("slTriggerPx") ?? params.decimal("tpTriggerPx")
  const px = params.text("px") ?? params.text("orderPx") ?? params.text(isSl ? "slOrdPx" : "tpOrdPx")
  const isMarket = kind === "market" || px === "-1"
  const isCost = market.kind === "spot" && isMarket && side === "buy" && params.text("tgtCcy") !== "base_ccy"
  const { last } = at.board.quote(market)
  // Where margin is of many currencies spot is margin too; elsewhere it is, and a borrowed position, only when asked for.
  if (market.kind === "spot" && (params.need("tdMode") === "cash") === (at.accountLevel === "3"))
    refuse("wrong_mode")
  return {
    ...{ market, side },
    type: isMarket ? "market" : "limit",
    amount: isCost ? undefined : amountOf(market, params.some("sz")),
    cost: isCost ? params.some("sz") : undefined,
    price: isMarket || px === undefined ? undefined : Decimal.unsafeFromText(px),
    // A plain trigger goes off from whichever side the price comes; stops know theirs.
    trigger:
      level === undefined
        ? undefined
        : {
            price: level,
            rising:
              kind === "trigger"
                ? Decimal.greaterThan(level, Decimal.fromNumber(last))
                : (side === "buy") === isSl
          },
    tif: kind === "ioc" || kind === "fok" || kind === "post_only" ? kind : "gtc",
    reduceOnly: params.text("reduceOnly") === "true",
    // The client's id of a conditional order has a name of its own.
    clientId: params.text(level === undefined ? "clOrdId" : "algoClOrdId")
  }
}

const perform: Private["perform"] = (request, at) => {
  const { book } = at
  const all = request.method === "POST" ? Params.list(request.body) : [Params.query(request.query)]
  const [params = new Params({})] = all
  const instId = params.text("instId")
  const market = instId === undefined ? undefined : marketOf(at, (each) => idOf(each) === instId)
  const isAlgo = request.path.includes("algo")
  const say: (order: Order) => object = isAlgo ? conditional : told
  const type = params.text("instType")
  const ours = (order: Order) =>
    isOf(market)(order) &&
    (isAlgo ? order.ticket.trigger !== undefined : order.status !== "waiting") &&
    (type === undefined || order.ticket.market.kind === type.toLowerCase())
  const id = params.text("ordId") ?? params.text("algoId")
  const clientId = params.text("clOrdId") ?? params.text("algoClOrdId")
  const listed = (orders: ReadonlyArray<Order>) =>
    pageBelow(orders.toReversed(), params.text("after"), params.number("limit"))
  switch (KINDS(request)) {
    case "place": {
      const order = book.place(ticketOf(params, market ?? refuse("unknown_market"), at))
      const ids = { tag: "", sCode: "0", sMsg: "Order placed", ts: `${order.createdAt}` }
      return good([
        isAlgo
          ? { algoId: order.id, algoClOrdId: order.ticket.clientId ?? "", ...ids }
          : { ...named(order), ...ids }
      ])
    }
    case "cancel": {
      const order = orderOf(at, id, clientId) ?? refuse("not_open")
      book.cancel(order)
      return good([
        isAlgo ? { algoId: order.id, sCode: "0", sMsg: "" } : { ...named(order), sCode: "0", sMsg: "" }
      ])
    }
    case "order":
      return good([say(seen(at, id, clientId, isAlgo) ?? refuse("unknown_order"))])
    case "open":
      return good(listed(book.visible.filter((order) => isOpen(order) && ours(order))).map(say))
    case "closed": {
      const state = params.text("state")
      const done = book.visible.filter((order) => isDone(order) && ours(order))
      const wanted = done.filter((each) => state === undefined || told(each).state === state)
      return good(listed(wanted).map(told))
    }
    case "trades":
      return good(
        book.fills
          .filter(isFillOf(market))
          .filter(({ order }) => ours(order) && (id === undefined || named(order).ordId === id))
          .toReversed()
          .filter((fill) => isBelow(fill.id, params.text("after")))
          .slice(0, params.number("limit") ?? 100)
          .map(trade)
      )
    case "balance":
      return good([{ uTime: `${at.now()}`, details: details(at) }])
    case "permissions": {
      const { trade: trades, withdraw } = at.permissions
      const perm = ["read_only", ...(trades ? ["trade"] : []), ...(withdraw ? ["withdraw"] : [])].join(",")
      return good([
        { uid: "43812", acctLv: at.accountLevel, posMode: "net_mode", perm, label: "stub", ip: "" }
      ])
    }
    case "positions":
      return good(book.positions.all.map(position(at)))
    case "leverage": {
      const mode = params.text("mgnMode") === "isolated" ? "isolated" : "cross"
      const slot = market ?? refuse("unknown_market")
      // Not while a stop waits, also to what it is already.
      if (book.visible.some((order) => order.status === "waiting" && isOf(slot)(order))) refuse("in_use")
      book.positions.set(slot, { leverage: params.number("lever") ?? 1, mode })
      return good([{ instId, lever: params.text("lever"), mgnMode: mode, posSide: "net" }])
    }
    default: {
      if (market === undefined) return good([])
      const { leverage, mode } = book.positions.setting(market)
      return good([{ instId, mgnMode: mode, posSide: "net", lever: `${leverage}` }])
    }
  }
}

/** What waits for a price is kept apart, and stays there once it went off. */
const seen = (at: Desk, id: string | undefined, clientId: string | undefined, isAlgo: boolean) => {
  const child = isAlgo ? undefined : childOf(at, id)
  if (child !== undefined) return child
  const order = orderOf(at, id, clientId)
  return (order?.ticket.trigger !== undefined) === isAlgo ? order : undefined
}

const good = (data: unknown) => ({ code: "0", msg: "", data })

/** Once a stop went off it is another order. */
const named = (order: Order) =>
  order.ticket.trigger === undefined
    ? { ordId: order.id, clOrdId: order.ticket.clientId ?? "" }
    : { ordId: childIdOf(order), clOrdId: "" }

const shared = (order: Order) => {
  const { cost, market, side } = order.ticket
  return {
    instType: market.kind.toUpperCase(),
    instId: idOf(market),
    side,
    tdMode: market.kind === "spot" ? "cash" : "isolated",
    posSide: market.kind === "spot" ? "" : "net",
    sz: cost === undefined ? sizeOf(market, order.amount) : text(cost),
    tgtCcy: cost === undefined ? "base_ccy" : "quote_ccy",
    cTime: `${order.createdAt}`,
    uTime: `${order.updatedAt}`
  }
}

const told = (order: Order) => {
  const { market, price, reduceOnly, tif = "gtc", type } = order.ticket
  const open = order.isPartial ? "partially_filled" : "live"
  return {
    ...shared(order),
    ...named(order),
    px: empty(price),
    ordType: type === "market" ? "market" : tif === "gtc" ? "limit" : tif,
    state: order.status === "cancelled" ? "canceled" : order.status === "filled" ? "filled" : open,
    accFillSz: sizeOf(market, order.filled),
    avgPx: empty(order.average),
    fee: text(Decimal.negate(order.fee)),
    feeCcy: order.feeAsset ?? "",
    reduceOnly: `${reduceOnly === true}`
  }
}

const conditional = (order: Order) => ({
  ...shared(order),
  algoId: order.id,
  algoClOrdId: order.ticket.clientId ?? "",
  ordType: "trigger",
  triggerPx: orZero(order.ticket.trigger?.price),
  ordPx: order.ticket.price === undefined ? "-1" : text(order.ticket.price),
  ...(order.wentOff
    ? { ordId: childIdOf(order), ordIdList: [childIdOf(order)] }
    : { ordId: "", ordIdList: [] }),
  state: order.wentOff ? "effective" : order.status === "cancelled" ? "canceled" : "live"
})

const trade = (fill: Fill) => ({
  ...named(fill.order),
  instType: fill.order.ticket.market.kind.toUpperCase(),
  instId: idOf(fill.order.ticket.market),
  tradeId: fill.id,
  billId: fill.id,
  fillPx: text(fill.price),
  fillSz: sizeOf(fill.order.ticket.market, fill.amount),
  side: fill.order.ticket.side,
  execType: fill.isMaker ? "M" : "T",
  fee: text(Decimal.negate(fill.fee)),
  feeCcy: fill.feeAsset,
  ts: `${fill.at}`
})

const details = ({ book }: Desk) =>
  [...book.funds.all].map(([ccy, { free, held }]) => ({
    ccy,
    eq: text(Decimal.add(free, held)),
    cashBal: text(Decimal.add(free, held)),
    availEq: text(free),
    availBal: text(free),
    frozenBal: text(held)
  }))

const position =
  (at: Desk) =>
  ({ amount, entry, margin, market }: ReturnType<Desk["book"]["positions"]["of"]>) => ({
    ...{
      instId: idOf(market),
      instType: "SWAP",
      mgnMode: "isolated",
      posSide: "net",
      ccy: quoteOf(market.pair)
    },
    pos: Decimal.isNegative(amount) ? `-${sizeOf(market, Decimal.negate(amount))}` : sizeOf(market, amount),
    ...{ avgPx: text(entry), margin: text(margin), markPx: `${at.board.quote(market).last}`, upl: "0" },
    lever: `${at.book.positions.setting(market).leverage}`
  })

/** What is wrong with an order is told inside of a list, since many can be placed at once. */
const refusal: Private["refusal"] = (flaw, kind): Reply => {
  const [code, msg, status] = WORDS[flaw]
  if (status !== undefined) return { status, body: { code, msg, data: [] } }
  if (kind !== "place" && kind !== "cancel") return { status: 200, body: { code, msg, data: [] } }
  const data = [{ clOrdId: "", ordId: "", sCode: code, sMsg: msg, tag: "" }]
  return { status: 200, body: { code: "1", msg: "All operations failed", data } }
}

/**
 * Fees are taken in what was received. A client's id: 32 letters and digits, no dash (nautilus_trader 3191 saw
 * `51000 Parameter clOrdId error` for one); it is unique among orders that are open, and of many the latest is told.
 */
export const okx: Private = {
  name: "okx",
  credentials: key("okx", "okx passphrase"),
  policy: {
    ...{ fees: "received", ids: "open" },
    isId: (id) => /^[A-Za-z0-9]{1,32}$/.test(id),
    orderId: (number) => `${680_800_019_749_900_000n + BigInt(number)}`,
    fillId: (number) => `${744_876_000 + number}`
  },
  kindOf: KINDS,
  flawOf,
  perform,
  refusal
}
