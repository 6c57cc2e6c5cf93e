// How Binance places, finds and cancels orders. Stops of perpetuals have ids of their own and become another order when
// they trigger.
import { fieldOf } from "../../ccxt/Failure.ts"
import {
  type Dialect,
  numbersOf,
  type OrderQuery,
  OWN_MARGIN,
  onePage,
  PAGE,
  SINGLE,
  usual
} from "../Dialect.ts"

/** Stops of perpetuals are kept apart, with ids of their own. */
const apart = ({ isStop, isSwap }: OrderQuery) => (isStop && isSwap ? { trigger: true } : {})

/** The rows of a page of trades. */
const MOST = 10 * PAGE

export const binance: Dialect = {
  wallet: onePage("balances"),
  send: (request) => usual(request, "clientOrderId", { stopLossPrice: request.price }),
  find: (query) => [
    (ccxt) => ccxt.fetchOrder(undefined, query.symbol, { clientOrderId: query.clientId, ...apart(query) }),
    (ccxt) => ccxt.fetchOpenOrders(query.symbol, undefined, undefined, apart(query)),
    ...(query.isStop && query.isSwap
      ? []
      : [(ccxt: Parameters<Dialect["byId"]>[0]) => ccxt.fetchOrders(query.symbol, query.since, 500)])
  ],
  byId: (ccxt, query, id) => ccxt.fetchOrder(id, query.symbol, apart(query)),
  trades: (ccxt, { symbol }, id, _, fromId) =>
    ccxt.fetchMyTrades(symbol, undefined, MOST, { orderId: id, fromId }),
  // Without a start id only the latest trades are returned; then all are read from the first.
  next: (page, _, from) => {
    const numbers = numbersOf(page, "id", MOST)
    if (numbers === undefined) return undefined
    return from === undefined ? "0" : (numbers.highest + 1n).toString()
  },
  cancel: (ccxt, query, id) => ccxt.cancelOrder(id, query.symbol, apart(query)),
  became: (order) => {
    const id = fieldOf(fieldOf(order, "info"), "actualOrderId")
    return id === undefined || id === null || id === "" ? undefined : String(id)
  },
  isolate: [
    OWN_MARGIN,
    {
      set: SINGLE.set,
      // For the leverage alone ccxt would query all markets.
      isSet: async (ccxt, symbol) =>
        Number(fieldOf(fieldOf(await ccxt.fetchMarginMode(symbol), "info"), "leverage")) === 1
    }
  ]
}
