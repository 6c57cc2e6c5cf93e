// How OKX places, finds and cancels orders. Stops are algo orders with ids of their own; spot stops are sent in cash
// mode, so that they never sell borrowed coins.
import { fieldOf } from "../../ccxt/Failure.ts"
import { type Dialect, isSingle, numbersOf, onePage, PAGE, usual } from "../Dialect.ts"

const apart = (isStop: boolean) => (isStop ? { trigger: true } : {})

export const okx: Dialect = {
  wallet: onePage("data", "0", "details"),
  send: (request) => {
    const { kind, type } = request.order
    if (type !== "stop") return usual(request, "clientOrderId", {})
    // By default ccxt sends `cross`, which sells borrowed coins under single-currency margin.
    const cash = kind === "spot" ? { tdMode: "cash" } : {}
    return usual(request, "algoClOrdId", { stopLossPrice: request.price, ...cash })
  },
  find: ({ clientId, isStop, since, symbol }) => [
    (ccxt) => ccxt.fetchOrder(undefined, symbol, { clientOrderId: clientId, ...apart(isStop) }),
    (ccxt) =>
      ccxt.fetchOpenOrders(symbol, undefined, PAGE, isStop ? { trigger: true, ordType: "conditional" } : {}),
    (ccxt) => (isStop ? Promise.resolve([]) : ccxt.fetchClosedOrders(symbol, since, PAGE)),
    (ccxt) => (isStop ? Promise.resolve([]) : ccxt.fetchCanceledOrders(symbol, since, PAGE))
  ],
  byId: (ccxt, { isStop, symbol }, id) => ccxt.fetchOrder(id, symbol, apart(isStop)),
  trades: (ccxt, { symbol }, id, _, after) =>
    ccxt.fetchMyTrades(symbol, undefined, PAGE, { ordId: id, after }),
  next: (page) => numbersOf(page, "billId")?.lowest.toString(),
  cancel: (ccxt, { isStop, symbol }, id) => ccxt.cancelOrder(id, symbol, apart(isStop)),
  became: (order) => {
    const info = fieldOf(order, "info")
    const list = fieldOf(info, "ordIdList")
    const id = Array.isArray(list) && list.length > 0 ? list[0] : fieldOf(info, "ordId")
    return fieldOf(info, "algoId") === undefined || id === undefined || id === "" ? undefined : String(id)
  },
  isolate: [
    {
      set: (ccxt, symbol) => ccxt.setLeverage(1, symbol, { mgnMode: "isolated" }),
      isSet: async (ccxt, symbol) => isSingle(await ccxt.fetchLeverage(symbol, { mgnMode: "isolated" }))
    }
  ]
}
