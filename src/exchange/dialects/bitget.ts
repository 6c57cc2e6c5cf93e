import { type Asked, type Dialect, numbersOf, onePage, PAGE, usual } from "../Dialect.ts"

/** What waits for a price is kept apart. */
const apart = ({ isStop }: Asked) => (isStop ? { trigger: true } : {})

export const bitget: Dialect = {
  wallet: onePage(),
  send: (wish) => {
    const { kind, side, type } = wish.order
    const isLimit = type === "limit" || (kind === "spot" && side === "buy" && type === "market")
    return usual(wish, "clientOrderId", { triggerPrice: wish.price, triggerType: "fill_price" }, isLimit)
  },
  find: (asked) => [
    (ccxt) => ccxt.fetchOrder(undefined, asked.symbol, { clientOid: asked.clientId }),
    (ccxt) => ccxt.fetchOpenOrders(asked.symbol, undefined, PAGE, apart(asked)),
    (ccxt) => ccxt.fetchCanceledAndClosedOrders(asked.symbol, asked.since, PAGE, apart(asked))
  ],
  byId: (ccxt, asked, id) => ccxt.fetchOrder(id, asked.symbol),
  trades: (ccxt, { symbol }, id, _, idLessThan) =>
    ccxt.fetchMyTrades(symbol, undefined, PAGE, { orderId: id, idLessThan }),
  next: (page) => numbersOf(page, "tradeId")?.lowest.toString(),
  cancel: (ccxt, asked, id) => ccxt.cancelOrder(id, asked.symbol, apart(asked)),
  isolate: [
    (ccxt, symbol) => ccxt.setMarginMode("isolated", symbol),
    (ccxt, symbol) => ccxt.setLeverage(1, symbol)
  ],
  marketBuys: false
}
