// https://docs.kraken.com/api: rest-api/add-order, guides/spot-clordid, guides/spot-errors.
import * as Decimal from "../../../src/domain/Decimal.ts"
import { altname, assetId, pairId, short } from "../kraken.ts"
import type { RestRequest, StubMarket } from "../Protocol.ts"
import { isDone, isOpen, key, marketOf, orZero, says, text } from "./common.ts"
import type { Desk } from "./Desk.ts"
import { type Flaw, refuse } from "./Flaw.ts"
import type { Fill, Order, Ticket } from "./Order.ts"
import { Params } from "./Params.ts"
import type { Kind, Private } from "./Private.ts"
import * as signing from "./signing.ts"

const KINDS: Readonly<Record<string, Kind>> = {
  "/0/public/Time": "time",
  "/0/private/AddOrder": "place",
  "/0/private/CancelOrder": "cancel",
  "/0/private/QueryOrders": "order",
  "/0/private/OpenOrders": "open",
  "/0/private/ClosedOrders": "closed",
  "/0/private/TradesHistory": "trades",
  "/0/private/QueryTrades": "trades",
  "/0/private/BalanceEx": "balance",
  "/0/private/GetApiKeyInfo": "permissions"
}

/** It tells of so many orders or trades at once. */
const PAGE = 50

/** How far ahead an order's end may be (ms). */
const ENDS_MS = { least: 2000, most: 60_000 }

/** The end that an order names, if it does, must be neither too soon nor too late. */
const checkEnd = (deadline: string | undefined, now: number): void => {
  if (deadline === undefined) return
  const left = Date.parse(deadline) - now
  if (!(left >= ENDS_MS.least && left <= ENDS_MS.most)) refuse("expired")
}

/** The highest number that a key has used: no request may come with one that is not above it. */
const nonces = new WeakMap<object, number>()

/** The time does not matter to it, only that it grows. */
const flawOf: Private["flawOf"] = (request, credentials) => {
  const { body, headers, path } = request
  if (headers.get("API-Key") === null) return "no_key"
  if (!says(request, "API-Key", credentials.apiKey)) return "bad_key"
  const nonce = Params.form(body).text("nonce") ?? ""
  if (!says(request, "API-Sign", signing.kraken(path, nonce, body, credentials.secret)))
    return "bad_signature"
  return undefined
}

const isNew = (desk: Desk, nonce: number): boolean => {
  const known = nonces.get(desk) ?? 0
  nonces.set(desk, Math.max(known, nonce))
  return nonce > known
}

const ticketOf = (params: Params, market: StubMarket): Ticket => {
  const side = params.need("type") === "buy" ? "buy" : "sell"
  const kind = params.need("ordertype")
  const isTrigger = kind.startsWith("stop-loss") || kind.startsWith("take-profit")
  const type = kind.endsWith("limit") ? "limit" : "market"
  const flags = (params.text("oflags") ?? "").split(",")
  const isCost = flags.includes("viqc")
  const tif = params.text("timeinforce")?.toLowerCase()
  const limit = isTrigger ? "price2" : "price"
  return {
    ...{ market, side, type },
    amount: isCost ? undefined : params.some("volume"),
    cost: isCost ? params.some("volume") : undefined,
    price: type === "limit" ? params.some(limit) : undefined,
    trigger: isTrigger
      ? { price: params.some("price"), rising: (side === "buy") === kind.startsWith("stop-loss") }
      : undefined,
    tif: flags.includes("post") ? "post_only" : tif === "ioc" || tif === "fok" ? tif : "gtc",
    clientId: params.text("cl_ord_id")
  }
}

const perform: Private["perform"] = (request, desk) => {
  const { book } = desk
  const params = Params.form(request.body)
  if (!isNew(desk, params.number("nonce") ?? 0)) refuse("clock")
  checkEnd(params.text("deadline"), desk.now())
  const clientId = params.text("cl_ord_id")
  const ids = params.text("txid")?.split(",") ?? []
  const named = ({ id, ticket }: Order) =>
    (ids.length === 0 || ids.includes(id)) && (clientId === undefined || ticket.clientId === clientId)
  const since = (params.number("start") ?? 0) * 1000
  const from = params.number("ofs") ?? 0
  const orders = (list: ReadonlyArray<Order>) =>
    Object.fromEntries(
      list
        .filter(named)
        .map((order) => [order.id, told(order)])
        .reverse()
    )
  const answer = (): unknown => {
    switch (KINDS[request.path]) {
      case "place": {
        const pair = params.need("pair")
        const order = book.place(
          ticketOf(
            params,
            marketOf(desk, (each) => each.kind === "spot" && [pairId(each), altname(each)].includes(pair))
          )
        )
        return { descr: { order: description(order) }, txid: [order.id] }
      }
      case "cancel": {
        const order = book.visible.findLast((each) => named(each)) ?? refuse("not_open")
        book.cancel(order)
        return { count: 1 }
      }
      // Ids that it does not know are left out.
      case "order":
        return orders(book.visible)
      case "open":
        return { open: orders(book.visible.filter(isOpen)) }
      case "closed": {
        const done = book.visible.filter((order) => isDone(order) && order.updatedAt >= since && named(order))
        return {
          closed: orders(
            done
              .toReversed()
              .slice(from, from + PAGE)
              .reverse()
          ),
          count: done.length
        }
      }
      case "trades": {
        if (request.path.endsWith("QueryTrades")) {
          const asked = book.fills.filter(({ id }) => ids.includes(id))
          return Object.fromEntries(asked.map((fill) => [fill.id, trade(fill)]))
        }
        const all = book.fills.filter(({ at }) => at >= since)
        const fills = all.toReversed().slice(from, from + PAGE)
        return {
          trades: Object.fromEntries(fills.map((fill, at) => [unique(fills, at), trade(fill)])),
          count: all.length
        }
      }
      case "balance":
        return balances(desk)
      default:
        return rights(desk)
    }
  }
  return { error: [], result: answer() }
}

/** Trades are told by id, so that one that is told twice cannot be seen. */
const unique = (fills: ReadonlyArray<Fill>, at: number): string => fills[at]?.id ?? ""

const kindOf = ({ ticket: { side, trigger, type } }: Order): string => {
  if (trigger === undefined) return type
  const name = trigger.rising === (side === "buy") ? "stop-loss" : "take-profit"
  return type === "limit" ? `${name}-limit` : name
}

const description = (order: Order): string => {
  const { cost, market, price, side, trigger, type } = order.ticket
  const level = type === "limit" ? `limit ${orZero(price)}` : "market"
  const how =
    trigger === undefined ? level : `${kindOf(order).replaceAll("-", " ")} ${text(trigger.price)} -> ${level}`
  return `${side} ${text(cost ?? order.amount)} ${altname(market)} @ ${how}`
}

const told = (order: Order) => {
  const { clientId, cost, market, price, side, trigger } = order.ticket
  const state = order.status === "waiting" ? "open" : order.status === "filled" ? "closed" : order.status
  return {
    refid: null,
    userref: null,
    ...(clientId === undefined ? {} : { cl_ord_id: clientId }),
    status: state === "cancelled" ? "canceled" : state,
    opentm: order.createdAt / 1000,
    ...(order.isDone ? { closetm: order.updatedAt / 1000, reason: null } : {}),
    descr: {
      ...{ pair: altname(market), type: side, ordertype: kindOf(order) },
      price: orZero(trigger?.price ?? price),
      price2: trigger === undefined ? "0" : orZero(price),
      ...{ leverage: "none", order: description(order), close: "" }
    },
    vol: text(cost ?? order.amount),
    vol_exec: text(order.filled),
    cost: text(order.paid),
    fee: text(order.fee),
    price: orZero(order.average),
    stopprice: orZero(trigger?.price),
    limitprice: "0.00000",
    misc: "",
    oflags: cost === undefined ? "fciq" : "fciq,viqc",
    trades: order.fills.map(({ id }) => id)
  }
}

const trade = ({ amount, at, cost, fee, isMaker, order, price }: Fill) => ({
  ordertxid: order.id,
  postxid: "TKH2SE-M7IF5-CFI7LT",
  pair: pairId(order.ticket.market),
  time: at / 1000,
  type: order.ticket.side,
  ordertype: order.ticket.type,
  price: text(price),
  cost: text(cost),
  fee: text(fee),
  vol: text(amount),
  margin: "0.00000",
  misc: "",
  maker: isMaker
})

/** What earns by itself stands apart, under the short name of its asset, and is traded as the asset all the same. */
const balances = ({ book, earning }: Desk) =>
  Object.fromEntries(
    [...book.funds.all].flatMap(([asset, { free, held }]) => {
      const part = Decimal.min(earning.get(asset) ?? Decimal.zero, free)
      const rest = Decimal.subtract(Decimal.add(free, held), part)
      const row = [assetId(asset), { balance: text(rest), hold_trade: text(held) }] as const
      if (Decimal.isZero(part)) return [row]
      return [row, [`${short(asset)}.F`, { balance: text(part), hold_trade: text(Decimal.zero) }] as const]
    })
  )

const rights = ({ permissions }: Desk) => ({
  api_key_name: "stub",
  permissions: [
    ...["query-funds", "query-open-trades", "query-closed-trades"],
    ...(permissions.trade ? ["modify-trades", "close-trades"] : []),
    ...(permissions.withdraw ? ["withdraw-funds"] : [])
  ]
})

const WORDS: Readonly<Record<Flaw, string>> = {
  no_key: "EAPI:Invalid key",
  bad_key: "EAPI:Invalid key",
  bad_signature: "EAPI:Invalid signature",
  bad_passphrase: "EAPI:Invalid key",
  clock: "EAPI:Invalid nonce",
  expired: "EGeneral:Invalid arguments:deadline",
  no_permission: "EGeneral:Permission denied",
  insufficient: "EOrder:Insufficient funds",
  min_amount: "EGeneral:Invalid arguments:volume minimum not met",
  min_cost: "EOrder:Cost minimum not met",
  amount_step: "EGeneral:Invalid arguments:volume",
  price_step: "EOrder:Invalid price:price can only be specified up to fewer decimals.",
  unknown_market: "EQuery:Unknown asset pair",
  closed_market: "EService:Market in cancel_only mode",
  duplicate_id: "EOrder:cl_ord_id already in use",
  bad_id: "EGeneral:Invalid arguments:cl_ord_id",
  unknown_order: "EOrder:Unknown order",
  not_open: "EOrder:Unknown order",
  would_trigger: "EGeneral:Invalid arguments:price",
  bad_request: "EGeneral:Invalid arguments",
  wrong_mode: "EGeneral:Invalid arguments",
  in_use: "EGeneral:Invalid arguments",
  limited: "EAPI:Rate limit exceeded",
  banned: "EGeneral:Temporary lockout",
  busy: "EService:Busy",
  maintenance: "EService:Unavailable",
  timeout: "EService:Deadline elapsed"
}

/** `OAVY7T-MV5VK-KHDF5X`, out of a number. */
const idFrom = (letter: string, number: number): string => {
  const digits = number
    .toString(36)
    .toUpperCase()
    .padStart(16, letter === "O" ? "A" : "B")
  return `${letter}${digits.slice(0, 5)}-${digits.slice(5, 10)}-${digits.slice(10)}`
}

/**
 * Fees are taken in the quote asset, on top of the cost. A client's id is a UUID, or up to 18 characters, and unique
 * among open orders. All answers are 200.
 */
export const kraken: Private = {
  name: "kraken",
  credentials: key("kraken"),
  policy: {
    ...{ fees: "quote", ids: "open" },
    isId: (id) => /^([0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32}|[\x21-\x7e]{1,18})$/i.test(id),
    orderId: (number) => idFrom("O", number),
    fillId: (number) => idFrom("T", number)
  },
  kindOf: ({ path }: RestRequest) => KINDS[path],
  flawOf,
  perform,
  refusal: (flaw) => ({ status: 200, body: { error: [WORDS[flaw]] } })
}
