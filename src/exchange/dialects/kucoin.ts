// How KuCoin places, finds and cancels orders. Spot stops are listed apart until they trigger.
import { type Dialect, numbersOf, type OrderQuery, OWN_MARGIN, onePage, PAGE, usual } from "../Dialect.ts"

/** Spot stops are listed apart until they trigger. */
const isApart = ({ isStop, isSwap }: OrderQuery): boolean => isStop && !isSwap
const apart = (query: OrderQuery) => (isApart(query) ? { trigger: true } : {})

/** The number of the page after a full one. */
const numberAfter = (page: ReadonlyArray<unknown>, from = "1"): string | undefined =>
  page.length < PAGE ? undefined : String(Number(from) + 1)

export const kucoin: Dialect = {
  wallet: onePage("data"),
  send: (request) => {
    const isSwap = request.order.kind === "swap"
    return usual(request, "clientOid", {
      stopLossPrice: request.price,
      ...(isSwap ? { triggerPriceType: "last" } : {})
    })
  },
  find: (query) => [
    // ccxt requires an id but uses the client order id. For a spot stop it cannot read the answer.
    (ccxt) => ccxt.fetchOrder("", query.symbol, { clientOid: query.clientId }),
    {
      list: (ccxt, currentPage) =>
        ccxt.fetchOpenOrders(query.symbol, undefined, PAGE, { ...apart(query), currentPage }),
      next: (page, from) => (isApart(query) ? numberAfter(page, from) : undefined)
    },
    (ccxt) => ccxt.fetchClosedOrders(query.symbol, query.since, PAGE)
  ],
  byId: (ccxt, query, id) => ccxt.fetchOrder(id, query.symbol),
  // Spot trades are paged by id, those of perpetuals by page number.
  trades: (ccxt, { isSwap, symbol }, id, _, from) =>
    ccxt.fetchMyTrades(symbol, undefined, PAGE, {
      orderId: id,
      ...(isSwap ? { currentPage: from } : { lastId: from })
    }),
  next: (page, { isSwap }, from) =>
    isSwap ? numberAfter(page, from) : numbersOf(page, "id")?.lowest.toString(),
  cancel: (ccxt, query, id) => ccxt.cancelOrder(id, query.symbol, apart(query)),
  // The leverage is part of each order; ccxt sends 1.
  isolate: [OWN_MARGIN]
}
