// How Bybit places, finds and cancels orders. Its margin mode is set for the whole account.
import { cursorOf, type Dialect, OWN_MARGIN, onePage, PAGE, SINGLE, usual } from "../Dialect.ts"

export const bybit: Dialect = {
  wallet: onePage("result", "list", "0", "coin"),
  send: (request) => usual(request, "clientOrderId", { stopLossPrice: request.price }),
  find: ({ clientId, symbol }) => [
    // Also returns an order for a while after its end.
    (ccxt) => ccxt.fetchOpenOrders(symbol, undefined, undefined, { orderLinkId: clientId }),
    (ccxt) => ccxt.fetchCanceledAndClosedOrders(symbol, undefined, undefined, { orderLinkId: clientId })
  ],
  byId: (ccxt, { symbol }, id) => ccxt.fetchOrder(id, symbol, { acknowledged: true }),
  trades: (ccxt, { symbol }, id, _, cursor) =>
    ccxt.fetchMyTrades(symbol, undefined, PAGE, { orderId: id, cursor }),
  next: (page) => cursorOf(page, "nextPageCursor"),
  cancel: (ccxt, { isStop, isSwap, symbol }, id) =>
    ccxt.cancelOrder(id, symbol, isStop && !isSwap ? { orderFilter: "tpslOrder" } : {}),
  isolate: [
    // Set for the whole account.
    { ...OWN_MARGIN, set: (ccxt, symbol) => ccxt.setMarginMode("isolated", symbol, { leverage: 1 }) },
    SINGLE
  ]
}
