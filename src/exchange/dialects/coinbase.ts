import { fieldOf } from "../../ccxt/Failure.ts"
import { cursorOf, type Dialect, PAGE, usual } from "../Dialect.ts"

/** At most 250 wallets come at once, and there is one for each asset that the account ever had. */
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
  // It can be asked by its own ids only.
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
