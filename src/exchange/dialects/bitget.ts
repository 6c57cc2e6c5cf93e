// How Bitget places, finds and cancels orders. Spot market buys are sent as limit orders that fill at once; a triggered
// stop becomes another order without the client order id.
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

/** Orders that wait for a trigger are kept apart. */
const apart = ({ isStop }: OrderQuery) => (isStop ? { trigger: true } : {})

/** Lists are sorted newest first. */
const nextOf = (page: ReadonlyArray<unknown>) => numbersOf(page, "orderId")?.lowest.toString()

export const bitget: Dialect = {
  wallet: onePage(),
  send: (orderRequest) => {
    const { kind, side, type } = orderRequest.order
    const isLimit = type === "limit" || (kind === "spot" && side === "buy" && type === "market")
    return usual(
      orderRequest,
      "clientOrderId",
      { triggerPrice: orderRequest.price, triggerType: "fill_price" },
      isLimit
    )
  },
  find: (query) => [
    (ccxt) => ccxt.fetchOrder(undefined, query.symbol, { clientOid: query.clientId }),
    {
      list: (ccxt, idLessThan) =>
        ccxt.fetchOpenOrders(query.symbol, undefined, PAGE, { ...apart(query), idLessThan }),
      next: nextOf
    },
    {
      list: (ccxt, idLessThan) =>
        ccxt.fetchCanceledAndClosedOrders(query.symbol, query.since, PAGE, { ...apart(query), idLessThan }),
      next: nextOf
    }
  ],
  byId: (ccxt, query, id) => ccxt.fetchOrder(id, query.symbol),
  trades: (ccxt, { symbol }, id, _, idLessThan) =>
    ccxt.fetchMyTrades(symbol, undefined, PAGE, { orderId: id, idLessThan }),
  next: (page) => numbersOf(page, "tradeId")?.lowest.toString(),
  cancel: (ccxt, query, id) => ccxt.cancelOrder(id, query.symbol, apart(query)),
  // A triggered stop trades as another order, without the client order id.
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
