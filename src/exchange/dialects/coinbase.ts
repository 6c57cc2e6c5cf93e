// How Coinbase places, finds and cancels orders. It finds orders by its own ids only, so lists are searched for the
// client order id; market buys and stops become limit orders.
import { fieldOf } from "../../ccxt/Failure.ts"
import { cursorOf, type Dialect, PAGE, usual } from "../Dialect.ts"

/** A page has at most 250 wallets, one per asset that the account ever had. */
const pageOf: Dialect["wallet"]["page"] = (info) => {
  if (!Array.isArray(fieldOf(info, "accounts"))) return undefined
  const hasNext = fieldOf(info, "has_next")
  if (hasNext === false || hasNext === "false") return "last"
  const cursor = fieldOf(info, "cursor")
  return typeof cursor === "string" && cursor !== "" ? { from: cursor } : undefined
}

export const coinbase: Dialect = {
  wallet: { page: pageOf },
  send: (request) => {
    const isLimit =
      request.order.type === "limit" || (request.order.side === "buy" && request.order.type === "market")
    const sending = usual(request, "client_order_id", { stopLossPrice: request.price }, isLimit)
    return request.order.type === "stop" ? { ...sending, type: "limit", price: request.worst } : sending
  },
  // Orders can be queried by the exchange's ids only.
  find: ({ since, symbol }) => [
    {
      list: (ccxt, cursor) => ccxt.fetchOrders(symbol, since, 10 * PAGE, { cursor }),
      next: (page) => cursorOf(page, "cursor")
    }
  ],
  byId: (ccxt, { symbol }, id) => ccxt.fetchOrder(id, symbol),
  trades: (ccxt, { symbol }, id, _, cursor) =>
    ccxt.fetchMyTrades(symbol, undefined, 10 * PAGE, { order_ids: id, cursor }),
  next: (page) => cursorOf(page, "cursor"),
  cancel: (ccxt, { symbol }, id) => ccxt.cancelOrder(id, symbol),
  marketBuys: false,
  stopLimits: true
}
