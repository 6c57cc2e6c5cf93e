// OKX. Stops are algo orders with ids of their own; spot stops are sent in cash mode, so that they never sell borrowed
// coins.
import { TIMEFRAMES } from "../../domain/candles/Timeframe.ts"
import { together } from "../Channels.ts"
import { type Descriptor, TIME_ERROR, unifiedPositions } from "../Descriptor.ts"
import { type Dialect, isSingle, numbersOf, PAGE, usual } from "../Dialect.ts"
import { type Expiry, ORDER_MS } from "../expiry/Expiry.ts"
import { fieldOf } from "../Field.ts"
import { list, PLAIN_KEYS, some } from "../Keys.ts"
import { limits, REASONS, refuses } from "../Refusal.ts"
import { onePage } from "../WalletPages.ts"

const apart = (isStop: boolean) => (isStop ? { trigger: true } : {})

const dialect: Dialect = {
  send: (request) => {
    const { kind, type } = request.order
    if (type !== "stop") return usual(request, "clientOrderId", {})
    // By default ccxt sends `cross`, which sells borrowed coins under single-currency margin.
    const cash = kind === "spot" ? { tdMode: "cash" } : {}
    return usual(request, "algoClOrdId", { stopLossPrice: request.price, ...cash })
  },
  marketBuys: true,
  clientIdFields: ["algoClOrdId"],
  find: ({ clientId, isStop, since, symbol }) => [
    (ccxt) => ccxt.fetchOrder(undefined, symbol, { clientOrderId: clientId, ...apart(isStop) }),
    (ccxt) =>
      ccxt.fetchOpenOrders(symbol, undefined, PAGE, isStop ? { trigger: true, ordType: "conditional" } : {}),
    (ccxt) => (isStop ? Promise.resolve([]) : ccxt.fetchClosedOrders(symbol, since, PAGE)),
    (ccxt) => (isStop ? Promise.resolve([]) : ccxt.fetchCanceledOrders(symbol, since, PAGE))
  ],
  byId: (ccxt, { isStop, symbol }, id) => ccxt.fetchOrder(id, symbol, apart(isStop)),
  trades: (ccxt, { from, id, symbol }) =>
    ccxt.fetchMyTrades(symbol, undefined, PAGE, { ordId: id, after: from }),
  next: (page) => numbersOf(page, "billId")?.lowest.toString(),
  cancel: (ccxt, { isStop, symbol }, id) => ccxt.cancelOrder(id, symbol, apart(isStop)),
  became: (order) => {
    const info = fieldOf(order, "info")
    const list = fieldOf(info, "ordIdList")
    const id = Array.isArray(list) && list.length > 0 ? list[0] : fieldOf(info, "ordId")
    return fieldOf(info, "algoId") === undefined || id === undefined || id === "" ? undefined : String(id)
  },
  child: undefined,
  isolation: {
    settings: [
      {
        set: (ccxt, symbol) => ccxt.setLeverage(1, symbol, { mgnMode: "isolated" }),
        isSet: async (ccxt, symbol) => isSingle(await ccxt.fetchLeverage(symbol, { mgnMode: "isolated" }))
      }
    ],
    isSetAlready: undefined
  }
}

/**
 * `expTime` is the "request effective deadline" of orders. Algo orders know none: for them the time in the signature
 * holds, which may be 30 seconds old (okx.com/docs-v5/en: order-book-trading-trade-post-place-order, overview, 50036).
 */
const expiry: Expiry = {
  validMs: 30_000,
  params: () => ({}),
  headers: (now) => ({ expTime: String(now + ORDER_MS) }),
  refusal: /"(s?Code|code)":"50036"/
}

export const okx: Descriptor = {
  open: async (options) =>
    new (await import("../../../node_modules/ccxt/js/src/pro/okx.js")).default(options),
  home: "https://www.okx.com",
  hasSandbox: true,
  options: { createOrder: "privatePostTradeOrder", createMarketBuyOrderRequiresPrice: false },
  marketTypes: ["spot", "swap"],
  minCostField: undefined,
  candles: {
    rows: { spot: 300, swap: 300 },
    newest: undefined,
    timeframes: TIMEFRAMES,
    takesUntil: true,
    inContracts: false
  },
  funding: { rows: 100, ends: "after" },
  rate: { perSecond: 8, burst: 16 },
  ban: undefined,
  limit: undefined,
  timeErrors: [TIME_ERROR],
  expiry,
  isNumbered: false,
  channels: { spot: together(100), swap: together(100) },
  keys: PLAIN_KEYS,
  rights: {
    request: "privateGetAccountConfig",
    read: (answer) => {
      const data = fieldOf(fieldOf(answer, "data"), "0")
      const perm = list(fieldOf(data, "perm"))
      return {
        trade: some(perm, /^trade$/),
        withdraw: some(perm, /withdraw/),
        identity: fieldOf(data, "uid")
      }
    }
  },
  keyFaults: [
    ["passphrase", /\b50105\b/],
    ["key", /\b(50101|50103|50111|50119)\b/],
    ["secret", /\b50113\b/],
    ["place", /\b50110\b/],
    ["right", /\b50120\b/],
    ["clock", /\b(50102|50112)\b/]
  ],
  refusals: [
    limits(/"(s?Code|code)":"(50011|50061)"/),
    refuses(REASONS.expired, /"(s?Code|code)":"50036"/),
    refuses(REASONS.right, /"code":"50120"/),
    refuses(
      "the account's mode at OKX has no spot without margin: choose Spot mode or Futures mode there",
      /"sMsg":"Parameter tdMode/
    ),
    refuses(REASONS.order, /"(sCode|code)":"(51000|51006|51020|51121)"/)
  ],
  // A time-out, then used ids.
  doubts: [/"code":"50004"/, /"(s?Code|code)":"(51016|51011)"/],
  wallet: onePage("data", "0", "details"),
  positions: unifiedPositions,
  dialect
}
