// How Kraken places, finds and cancels orders. Requests carry a growing nonce; fees are taken in the quote asset.
import { fieldOf } from "../../ccxt/Failure.ts"
import { type Dialect, usual } from "../Dialect.ts"

const pageOf: Dialect["wallet"]["page"] = (info) => {
  const result = fieldOf(info, "result")
  return typeof result === "object" && result !== null && !Array.isArray(result) ? "last" : undefined
}

/**
 * `BTC.F` earns interest ("Auto Earn") and is spent by orders in BTC: "use the base asset (e.g. `USDT` to transact with
 * your `USDT` and `USDT.F` balances)", docs.kraken.com/api-reference/account-data/get-extended-balance. Other suffixes
 * (`.B`, `.M`, `.S`, `.P`) are locked and must be released by hand.
 */
const spentAs = (asset: string): string => (asset.endsWith(".F") ? asset.slice(0, -".F".length) : asset)

export const kraken: Dialect = {
  wallet: { page: pageOf, spentAs },
  send: (request) => {
    const sending = usual(request, "clientOrderId", { stopLossPrice: request.price })
    // Fees in the quote asset, for sales too; ccxt assumes that.
    return { ...sending, params: { ...sending.params, oflags: "fciq" } }
  },
  find: ({ clientId, since, symbol }) => [
    (ccxt) => ccxt.fetchOpenOrders(symbol, undefined, undefined, { clientOrderId: clientId, trades: true }),
    (ccxt) => ccxt.fetchClosedOrders(symbol, since, undefined, { clientOrderId: clientId, trades: true })
  ],
  byId: (ccxt, { symbol }, id) => ccxt.fetchOrder(id, symbol),
  trades: async (ccxt, { symbol }, id, order) => {
    const trades = fieldOf(fieldOf(order, "info"), "trades")
    if (!Array.isArray(trades) || trades.length === 0) return []
    const ids = trades.map(String)
    // ccxt asks for twenty trades at a time, and after a full last twenty for none, which the exchange refuses.
    const query = ids.length % 20 === 0 ? [...ids, ids[0]] : ids
    return ccxt.fetchOrderTrades(id, symbol, undefined, undefined, { trades: query })
  },
  cancel: (ccxt, { symbol }, id) => ccxt.cancelOrder(id, symbol),
  isNumbered: true
}
