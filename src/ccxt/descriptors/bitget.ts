// Bitget. Spot market buys are sent as limit orders that fill at once; a triggered stop becomes another order without
// the client order id; unified accounts use another protocol and are not supported: the exchange refuses these
// requests.
import { TIMEFRAMES } from "../../domain/candles/Timeframe.ts"
import { together } from "../Channels.ts"
import { type Descriptor, TIME_ERROR, unifiedPositions } from "../Descriptor.ts"
import { type Dialect, numbersOf, type OrderQuery, OWN_MARGIN, PAGE, SINGLE, usual } from "../Dialect.ts"
import { signed } from "../expiry/Expiry.ts"
import { fieldOf } from "../Field.ts"
import { list, PLAIN_KEYS, some } from "../Keys.ts"
import { limits, REASONS, refuses } from "../Refusal.ts"
import { onePage } from "../WalletPages.ts"

/** Orders that wait for a trigger are kept apart. */
const apart = ({ isStop }: OrderQuery) => (isStop ? { trigger: true } : {})

/** Lists are sorted newest first. */
const nextOf = (page: ReadonlyArray<unknown>) => numbersOf(page, "orderId")?.lowest.toString()

const dialect: Dialect = {
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
  marketBuys: false,
  clientIdFields: ["clientOid"],
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
  trades: (ccxt, { from, id, symbol }) =>
    ccxt.fetchMyTrades(symbol, undefined, PAGE, { orderId: id, idLessThan: from }),
  next: (page) => numbersOf(page, "tradeId")?.lowest.toString(),
  cancel: (ccxt, query, id) => ccxt.cancelOrder(id, query.symbol, apart(query)),
  became: undefined,
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
  isolation: { settings: [OWN_MARGIN, SINGLE], isSetAlready: undefined }
}

export const bitget: Descriptor = {
  open: async (options) =>
    new (await import("../../../node_modules/ccxt/js/src/pro/bitget.js")).default(options),
  home: "https://api.bitget.com",
  hasSandbox: false,
  options: { uta: false, createMarketBuyOrderRequiresPrice: false },
  marketTypes: undefined,
  minCostField: undefined,
  // Older candles come from a request of their own, in pages of 200.
  candles: {
    rows: { spot: 200, swap: 200 },
    newest: undefined,
    timeframes: TIMEFRAMES,
    takesUntil: true,
    inContracts: false
  },
  funding: { rows: 100, ends: "pageNo" },
  rate: { perSecond: 6, burst: 12 },
  ban: undefined,
  limit: undefined,
  timeErrors: [TIME_ERROR],
  // Within 30 seconds of the server's time, which nothing makes shorter: bitget.com/api-doc/common/signature, code 40008.
  expiry: signed(30_000),
  isNumbered: false,
  channels: { spot: together(50), swap: together(50) },
  keys: PLAIN_KEYS,
  rights: {
    request: "privateSpotGetV2SpotAccountInfo",
    read: (answer) => {
      const data = fieldOf(answer, "data")
      const authorities = list(fieldOf(data, "authorities"))
      return {
        trade: some(authorities, /^(stow|trade)$/),
        withdraw: some(authorities, /^wwow$|withdraw/),
        identity: fieldOf(data, "userId")
      }
    }
  },
  keyFaults: [
    ["passphrase", /\b(40012|40011)\b/],
    ["key", /\b(40006|40037)\b/],
    ["secret", /\b40009\b/],
    ["place", /\b40018\b/],
    ["right", /\b40014\b/],
    ["clock", /\b(40004|40005|40008)\b/]
  ],
  refusals: [
    limits(/"code":"(429|30001|30007)"/),
    refuses(REASONS.market, /"code":"40034"/),
    refuses(REASONS.closed, /"code":"43119"/),
    refuses(REASONS.order, /"code":"(40017|40808|40832|43011|45110|45111|45112|45113|45114|45115)"/)
  ],
  // A time-out, which ccxt takes for a wrong key, then used ids.
  doubts: [/"code":"40010"/, /"code":"40786"/],
  wallet: onePage(),
  positions: unifiedPositions,
  dialect
}
