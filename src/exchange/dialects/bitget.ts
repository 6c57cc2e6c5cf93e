import { fieldOf } from "../../ccxt/Failure.ts"
import { type Asked, type Dialect, numbersOf, OWN_MARGIN, onePage, PAGE, SINGLE, usual } from "../Dialect.ts"

/** What waits for a price is kept apart. */
const apart = ({ isStop }: Asked) => (isStop ? { trigger: true } : {})

/** Lists are told newest first. */
const nextOf = (page: ReadonlyArray<unknown>) => numbersOf(page, "orderId")?.lowest.toString()

export const bitget: Dialect = {
  wallet: onePage(),
  send: (wish) => {
    const { kind, side, type } = wish.order
    const isLimit = type === "limit" || (kind === "spot" && side === "buy" && type === "market")
    return usual(wish, "clientOrderId", { triggerPrice: wish.price, triggerType: "fill_price" }, isLimit)
  },
  find: (asked) => [
    (ccxt) => ccxt.fetchOrder(undefined, asked.symbol, { clientOid: asked.clientId }),
    {
      list: (ccxt, idLessThan) =>
        ccxt.fetchOpenOrders(asked.symbol, undefined, PAGE, { ...apart(asked), idLessThan }),
      next: nextOf
    },
    {
      list: (ccxt, idLessThan) =>
        ccxt.fetchCanceledAndClosedOrders(asked.symbol, asked.since, PAGE, { ...apart(asked), idLessThan }),
      next: nextOf
    }
  ],
  byId: (ccxt, asked, id) => ccxt.fetchOrder(id, asked.symbol),
  trades: (ccxt, { symbol }, id, _, idLessThan) =>
    ccxt.fetchMyTrades(symbol, undefined, PAGE, { orderId: id, idLessThan }),
  next: (page) => numbersOf(page, "tradeId")?.lowest.toString(),
  cancel: (ccxt, asked, id) => ccxt.cancelOrder(id, asked.symbol, apart(asked)),
  // What went off is traded as another order, without the client's id.
  child: {
    isParent: (order) => fieldOf(fieldOf(order, "info"), "triggerPrice") !== undefined,
    idOf: async (ccxt, { isSwap, symbol }, planOrderId) => {
      const mix = { planType: "normal_plan", productType: `${symbol.split(":")[1]}-FUTURES` }
      const answer = isSwap
        ? await ccxt.request("v2/mix/order/plan-sub-order", ["private", "mix"], "GET", {
            planOrderId,
            ...mix
          })
        : await ccxt.request("v2/spot/trade/plan-sub-order", ["private", "spot"], "GET", { planOrderId })
      const orders = fieldOf(answer, "data")
      const ids = Array.isArray(orders) ? orders.map((order) => fieldOf(order, "orderId")) : []
      return ids.find((id): id is string => typeof id === "string" && id !== "")
    }
  },
  isolate: [OWN_MARGIN, SINGLE],
  marketBuys: false
}
