import { type Asked, type Dialect, numbersOf, OWN_MARGIN, onePage, PAGE, usual } from "../Dialect.ts"

/** Stops of spot wait elsewhere, and are found as usual once they went off. */
const isApart = ({ isStop, isSwap }: Asked): boolean => isStop && !isSwap
const apart = (asked: Asked) => (isApart(asked) ? { trigger: true } : {})

/** The number of the page after a full one. */
const numberAfter = (page: ReadonlyArray<unknown>, from = "1"): string | undefined =>
  page.length < PAGE ? undefined : String(Number(from) + 1)

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
    // The library wants an id, and uses the other. Asked so for a stop of spot, it makes nothing of the answer.
    (ccxt) => ccxt.fetchOrder("", asked.symbol, { clientOid: asked.clientId }),
    {
      list: (ccxt, currentPage) =>
        ccxt.fetchOpenOrders(asked.symbol, undefined, PAGE, { ...apart(asked), currentPage }),
      next: (page, from) => (isApart(asked) ? numberAfter(page, from) : undefined)
    },
    (ccxt) => ccxt.fetchClosedOrders(asked.symbol, asked.since, PAGE)
  ],
  byId: (ccxt, asked, id) => ccxt.fetchOrder(id, asked.symbol),
  // Spot goes on from a number, perpetuals by the number of the page.
  trades: (ccxt, { isSwap, symbol }, id, _, from) =>
    ccxt.fetchMyTrades(symbol, undefined, PAGE, {
      orderId: id,
      ...(isSwap ? { currentPage: from } : { lastId: from })
    }),
  next: (page, { isSwap }, from) =>
    isSwap ? numberAfter(page, from) : numbersOf(page, "id")?.lowest.toString(),
  cancel: (ccxt, asked, id) => ccxt.cancelOrder(id, asked.symbol, apart(asked)),
  // Its leverage comes with each order: the library asks for 1.
  isolate: [OWN_MARGIN]
}
