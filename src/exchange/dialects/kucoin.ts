import { type Asked, type Dialect, numbersOf, OWN_MARGIN, onePage, PAGE, usual } from "../Dialect.ts"

/** Stops of spot wait elsewhere, and are found as usual once they went off. */
const apart = ({ isStop, isSwap }: Asked) => (isStop && !isSwap ? { trigger: true } : {})

export const kucoin: Dialect = {
  wallet: onePage("data"),
  send: (wish) => {
    const isSwap = wish.order.kind === "swap"
    return usual(wish, "clientOid", {
      stopLossPrice: wish.price,
      ...(isSwap ? { triggerPriceType: "last" } : {})
    })
  },
  find: (asked) => [
    // The library wants an id, and uses the other.
    (ccxt) => ccxt.fetchOrder("", asked.symbol, { clientOid: asked.clientId }),
    ...(asked.isStop && !asked.isSwap
      ? [
          (ccxt: Parameters<Dialect["byId"]>[0]) =>
            ccxt.fetchOrder("", asked.symbol, { clientOid: asked.clientId, trigger: true })
        ]
      : []),
    (ccxt) => ccxt.fetchOpenOrders(asked.symbol, undefined, PAGE, apart(asked)),
    (ccxt) => ccxt.fetchClosedOrders(asked.symbol, asked.since, PAGE)
  ],
  byId: (ccxt, asked, id) => ccxt.fetchOrder(id, asked.symbol),
  // Spot goes on from a number, perpetuals by the number of the page.
  trades: (ccxt, { isSwap, symbol }, id, _, from) =>
    ccxt.fetchMyTrades(symbol, undefined, PAGE, {
      orderId: id,
      ...(isSwap ? { currentPage: from } : { lastId: from })
    }),
  next: (page, { isSwap }, from = "1") => {
    if (isSwap) return page.length < PAGE ? undefined : String(Number(from) + 1)
    return numbersOf(page, "id")?.lowest.toString()
  },
  cancel: (ccxt, asked, id) => ccxt.cancelOrder(id, asked.symbol, apart(asked)),
  // Its leverage comes with each order: the library asks for 1.
  isolate: [OWN_MARGIN]
}
