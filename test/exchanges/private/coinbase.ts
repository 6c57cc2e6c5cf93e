// https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api: orders, fills, accounts, data-api.
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto"
import type { StubMarket } from "../Protocol.ts"
import { accounts, configuration, idOf, told, trade } from "./coinbaseTells.ts"
import { isOf, marketOf, pageFrom } from "./common.ts"
import type { Desk } from "./Desk.ts"
import { type Flaw, refuse } from "./Flaw.ts"
import type { Ticket } from "./Order.ts"
import { Params } from "./Params.ts"
import type { Kind, Private, Reply } from "./Private.ts"

const ROOT = "/api/v3/brokerage"
const HISTORY = `${ROOT}/orders/historical`

const KINDS: Readonly<Record<string, Kind>> = {
  [`POST ${ROOT}/orders`]: "place",
  [`POST ${ROOT}/orders/batch_cancel`]: "cancel",
  [`GET ${HISTORY}/fills`]: "trades",
  [`GET ${ROOT}/accounts`]: "balance",
  [`GET ${ROOT}/key_permissions`]: "permissions",
  [`GET ${ROOT}/transaction_summary`]: "account",
  [`GET ${ROOT}/time`]: "time",
  "GET /v2/time": "time"
}

const kindOf: Private["kindOf"] = ({ method, path, query }) => {
  if (path === `${HISTORY}/batch`) return query.get("order_status") === "OPEN" ? "open" : "closed"
  return KINDS[`${method} ${path}`] ?? (path.startsWith(`${HISTORY}/`) ? "order" : undefined)
}

/** A token for each request, signed with the key's own half; it tells the address as the client saw it. */
const flawOf: Private["flawOf"] = ({ headers, host, method, path }, { apiKey, secret }, now) => {
  const [head = "", claims = "", signature = ""] = (headers.get("authorization") ?? "")
    .replace("Bearer ", "")
    .split(".")
  if (signature === "") return "no_key"
  const said = Params.json(Buffer.from(claims, "base64url").toString())
  if (said.text("sub") !== apiKey) return "bad_key"
  const half = { key: createPublicKey(secret), dsaEncoding: "ieee-p1363" } as const
  if (!verify("sha256", Buffer.from(`${head}.${claims}`), half, Buffer.from(signature, "base64url")))
    return "bad_signature"
  const uri = said.text("uri") ?? ""
  if (!uri.startsWith(`${method} `) || !uri.endsWith(host + path)) return "bad_signature"
  const seconds = now / 1000
  const isLate = seconds > (said.number("exp") ?? 0)
  return isLate || seconds < (said.number("nbf") ?? 0) - 5 ? "clock" : undefined
}

const ticketOf = (params: Params, market: StubMarket): Ticket => {
  const side = params.need("side") === "BUY" ? "buy" : "sell"
  const how = params.inside("order_configuration") ?? refuse("bad_request")
  const shared = { market, side, clientId: params.need("client_order_id") } as const
  const atMarket = how.inside("market_market_ioc")
  if (atMarket !== undefined) {
    const [amount, cost] = [atMarket.decimal("base_size"), atMarket.decimal("quote_size")]
    if (side === "buy" && cost === undefined) refuse("bad_request")
    return { ...shared, type: "market", amount, cost }
  }
  const ioc = how.inside("sor_limit_ioc")
  const fok = how.inside("limit_limit_fok")
  const stopped = how.inside("stop_limit_stop_limit_gtc")
  const limit = ioc ?? fok ?? stopped ?? how.inside("limit_limit_gtc") ?? refuse("bad_request")
  const isPost = limit.text("post_only") === "true"
  return {
    ...{ ...shared, type: "limit", amount: limit.some("base_size"), price: limit.some("limit_price") },
    tif: ioc !== undefined ? "ioc" : fok !== undefined ? "fok" : isPost ? "post_only" : "gtc",
    trigger:
      stopped === undefined
        ? undefined
        : {
            price: stopped.some("stop_price"),
            rising: stopped.text("stop_direction") === "STOP_DIRECTION_STOP_UP"
          }
  }
}

const perform: Private["perform"] = (request, desk) => {
  const { book } = desk
  const { path, query } = request
  const product = query.get("product_id")
  const market = product === null ? undefined : marketOf(desk, (each) => idOf(each) === product)
  const post = Params.json(request.method === "POST" ? request.body : "")
  switch (kindOf(request)) {
    case "place": {
      const wanted = post.need("product_id")
      const ticket = ticketOf(
        post,
        marketOf(desk, (each) => each.kind === "spot" && idOf(each) === wanted)
      )
      const { id, ticket: placed } = book.place(ticket)
      const names = {
        order_id: id,
        product_id: wanted,
        side: placed.side.toUpperCase(),
        client_order_id: placed.clientId
      }
      return {
        success: true,
        success_response: { ...names, attached_order_id: "" },
        order_configuration: configuration(ticket)
      }
    }
    case "cancel":
      return { results: post.texts("order_ids").map((id) => cancelled(id, desk)) }
    case "order": {
      const order = book.byId(path.slice(HISTORY.length + 1)) ?? refuse("unknown_order")
      return { order: told(order) }
    }
    case "open":
    case "closed": {
      const states = query.getAll("order_status")
      const since = Date.parse(query.get("start_date") ?? "") || 0
      const orders = book.visible.filter((order) => isOf(market)(order) && order.createdAt >= since).map(told)
      const wanted = orders.filter(({ status }) => states.length === 0 || states.includes(status)).reverse()
      const { next, rows } = paged(query, wanted, 1000, 1000)
      return { orders: rows, sequence: "0", has_next: next !== undefined, cursor: next ?? "" }
    }
    case "trades": {
      const ids = [...query.getAll("order_id"), ...query.getAll("order_ids")]
      const fills = book.fills.filter(
        ({ order }) => isOf(market)(order) && (ids.length === 0 || ids.includes(order.id))
      )
      const { next, rows } = paged(query, fills.map(trade).reverse(), 100, 1000)
      return { fills: rows, cursor: next ?? "" }
    }
    case "balance": {
      const { next, rows } = paged(query, accounts(desk), 49, 250)
      return { accounts: rows, has_next: next !== undefined, cursor: next ?? "", size: rows.length }
    }
    case "permissions": {
      const { trade: can_trade, withdraw: can_transfer } = desk.permissions
      return { can_view: true, can_trade, can_transfer, portfolio_uuid: "stub", portfolio_type: "DEFAULT" }
    }
    default:
      return { fee_tier: { pricing_tier: "", maker_fee_rate: "0.004", taker_fee_rate: "0.006" } }
  }
}

const paged = <A>(query: URLSearchParams, rows: ReadonlyArray<A>, usual: number, most: number) =>
  pageFrom(rows, query.get("cursor") ?? undefined, Number(query.get("limit") ?? usual), most)

const cancelled = (order_id: string, { book }: Desk) => {
  const order = book.byId(order_id)
  if (order !== undefined && book.fillsBeforeCancel && !order.isDone) book.fill(order)
  if (order === undefined || order.isDone)
    return { success: false, failure_reason: "UNKNOWN_CANCEL_ORDER", order_id }
  book.cancel(order)
  return { success: true, failure_reason: "UNKNOWN_CANCEL_FAILURE_REASON", order_id }
}

/** What is wrong with an order is told with a 200: the error, and the reason that a preview would give. */
const ORDER_WORDS: { readonly [flaw in Flaw]?: readonly [string, string] } = {
  insufficient: ["INSUFFICIENT_FUND", "PREVIEW_INSUFFICIENT_FUND"],
  min_amount: ["UNKNOWN_FAILURE_REASON", "PREVIEW_INVALID_BASE_SIZE_TOO_SMALL"],
  min_cost: ["UNKNOWN_FAILURE_REASON", "PREVIEW_INVALID_QUOTE_SIZE_TOO_SMALL"],
  amount_step: ["INVALID_SIZE_PRECISION", "PREVIEW_INVALID_SIZE_PRECISION"],
  price_step: ["INVALID_PRICE_PRECISION", "PREVIEW_INVALID_PRICE_PRECISION"],
  closed_market: ["ORDER_ENTRY_DISABLED", "PREVIEW_ORDER_ENTRY_DISABLED"],
  bad_id: ["INVALID_REQUEST", "UNKNOWN_PREVIEW_FAILURE_REASON"],
  bad_request: ["UNSUPPORTED_ORDER_CONFIGURATION", "UNKNOWN_PREVIEW_FAILURE_REASON"],
  would_trigger: ["UNKNOWN_FAILURE_REASON", "PREVIEW_STOP_PRICE_ABOVE_LAST_TRADE_PRICE"]
}

const refusal: Private["refusal"] = (flaw): Reply => {
  const order = ORDER_WORDS[flaw]
  if (order !== undefined) {
    const [error, preview_failure_reason] = order
    const error_response = { error, message: "", error_details: "", preview_failure_reason }
    return {
      status: 200,
      body: { success: false, failure_reason: "UNKNOWN_FAILURE_REASON", order_id: "", error_response }
    }
  }
  const said = (status: number, error: string, message: string): Reply => ({
    ...{ status, body: { error, error_details: message, message } }
  })
  switch (flaw) {
    case "no_permission":
      return said(403, "PERMISSION_DENIED", "Missing required scopes")
    case "unknown_market":
      return said(400, "INVALID_ARGUMENT", "account is not available")
    case "unknown_order":
    case "not_open":
      return said(404, "unknown", "order with this orderID was not found")
    case "limited":
    case "banned":
      return { status: 429, body: "Too many requests\n" }
    case "busy":
    case "timeout":
      return said(500, "INTERNAL", "Internal server error")
    case "maintenance":
      return { status: 503, body: "Service Unavailable\n" }
    default:
      return { status: 401, body: "Unauthorized\n" }
  }
}

/** A key pair of its own at each start; as long as the exchange's. */
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })

/**
 * Fees are taken in the quote asset; the quote amount of a market buy has them in it. A client's id that was used
 * before gives the order that has it. What form it has to have is told nowhere: UUIDs and ccxt's are taken.
 */
export const coinbase: Private = {
  name: "coinbase",
  credentials: {
    apiKey: "organizations/5c0f1b2a-0000-4000-8000-000000000001/apiKeys/5c0f1b2a-0000-4000-8000-000000000002",
    secret: privateKey.export({ type: "sec1", format: "pem" }).toString()
  },
  policy: {
    ...{ fees: "quote", costHasFee: true, ids: "returned", refusesTriggered: true },
    isId: (id) => /^[\x21-\x7e]{1,128}$/.test(id),
    orderId: (number) => `0e953c31-9bce-4007-978c-${number.toString(16).padStart(12, "0")}`,
    fillId: (number) => `1e953c31-9bce-4007-978c-${number.toString(16).padStart(12, "0")}`
  },
  kindOf,
  flawOf,
  perform,
  refusal
}
