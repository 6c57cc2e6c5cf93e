import { cursorOf, type Dialect, PAGE, usual } from "../Dialect.ts"

export const coinbase: Dialect = {
  send: (wish) => {
    const isLimit = wish.order.type === "limit" || (wish.order.side === "buy" && wish.order.type === "market")
    const sending = usual(wish, "client_order_id", { stopLossPrice: wish.price }, isLimit)
    return wish.order.type === "stop" ? { ...sending, type: "limit", price: wish.worst } : sending
  },
  // It can be asked by its own ids only.
  find: ({ since, symbol }) => [(ccxt) => ccxt.fetchOrders(symbol, since, 10 * PAGE)],
  byId: (ccxt, { symbol }, id) => ccxt.fetchOrder(id, symbol),
  trades: (ccxt, { symbol }, id, _, cursor) =>
    ccxt.fetchMyTrades(symbol, undefined, 10 * PAGE, { order_ids: id, cursor }),
  next: (page) => cursorOf(page, "cursor"),
  cancel: (ccxt, { symbol }, id) => ccxt.cancelOrder(id, symbol),
  marketBuys: false,
  stopLimits: true
}
