// KuCoin. Spot stops are listed apart until they trigger; unified accounts use another protocol and are not supported:
// the exchange refuses these requests.
import { TIMEFRAMES } from "../../domain/candles/Timeframe.ts"
import { together } from "../Channels.ts"
import { type Descriptor, TIME_ERROR, unifiedPositions } from "../Descriptor.ts"
import { type Dialect, numbersOf, type OrderQuery, OWN_MARGIN, PAGE, usual } from "../Dialect.ts"
import { signed } from "../expiry/Expiry.ts"
import { fieldOf } from "../Field.ts"
import { list, PLAIN_KEYS, some } from "../Keys.ts"
import { limits, REASONS, refuses } from "../Refusal.ts"
import { onePage } from "../WalletPages.ts"

/** Spot stops are listed apart until they trigger. */
const isApart = ({ isStop, isSwap }: OrderQuery): boolean => isStop && !isSwap
const apart = (query: OrderQuery) => (isApart(query) ? { trigger: true } : {})

/** The number of the page after a full one. */
const numberAfter = (page: ReadonlyArray<unknown>, from = "1"): string | undefined =>
  page.length < PAGE ? undefined : String(Number(from) + 1)

const dialect: Dialect = {
  send: (request) => {
    const isSwap = request.order.kind === "swap"
    return usual(request, "clientOid", {
      stopLossPrice: request.price,
      ...(isSwap ? { triggerPriceType: "last" } : {})
    })
  },
  marketBuys: true,
  clientIdFields: ["clientOid"],
  find: (query) => [
    // ccxt requires an id but uses the client order id. For a spot stop it cannot read the answer.
    (ccxt) => ccxt.fetchOrder("", query.symbol, { clientOid: query.clientId }),
    {
      list: (ccxt, currentPage) =>
        ccxt.fetchOpenOrders(query.symbol, undefined, PAGE, { ...apart(query), currentPage }),
      next: (page, from) => (isApart(query) ? numberAfter(page, from) : undefined)
    },
    (ccxt) => ccxt.fetchClosedOrders(query.symbol, query.since, PAGE)
  ],
  byId: (ccxt, query, id) => ccxt.fetchOrder(id, query.symbol),
  // Spot trades are paged by id, those of perpetuals by page number.
  trades: (ccxt, { from, id, isSwap, symbol }) =>
    ccxt.fetchMyTrades(symbol, undefined, PAGE, {
      orderId: id,
      ...(isSwap ? { currentPage: from } : { lastId: from })
    }),
  next: (page, { from, isSwap }) =>
    isSwap ? numberAfter(page, from) : numbersOf(page, "id")?.lowest.toString(),
  cancel: (ccxt, query, id) => ccxt.cancelOrder(id, query.symbol, apart(query)),
  became: undefined,
  child: undefined,
  // The leverage is part of each order; ccxt sends 1.
  isolation: { settings: [OWN_MARGIN], isSetAlready: undefined }
}

export const kucoin: Descriptor = {
  open: async (options) =>
    new (await import("../../../node_modules/ccxt/js/src/pro/kucoin.js")).default(options),
  home: "https://api.kucoin.com",
  hasSandbox: false,
  options: { hf: true, uta: false },
  marketTypes: ["spot", "swap"],
  minCostField: "minFunds",
  // Spot and perpetuals are two programs there, with pages of their own.
  candles: {
    rows: { spot: 1500, swap: 200 },
    newest: undefined,
    timeframes: TIMEFRAMES,
    takesUntil: false,
    inContracts: true
  },
  funding: { rows: 100, ends: "until" },
  rate: { perSecond: 8, burst: 16 },
  ban: undefined,
  limit: /429000/,
  timeErrors: [TIME_ERROR],
  // "The difference between your timestamp and the API service time must be less than 5 seconds":
  // kucoin.com/docs/basic-info/connection-method/types/timestamps.
  expiry: signed(5000),
  isNumbered: false,
  // The ticker of perpetuals arrives with trades only.
  channels: {
    spot: together(100),
    swap: { book: "bidsAsks", lastApart: {}, rest: "ticker", tellsAll: false, chunk: 100 }
  },
  keys: PLAIN_KEYS,
  rights: {
    request: "privateGetUserApiKey",
    read: (answer) => {
      const data = fieldOf(answer, "data")
      const permission = list(fieldOf(data, "permission"))
      return {
        trade: some(permission, /^(spot|trade)$/i),
        // Under either name; moving money between the customer's own accounts is called InnerTransfer.
        withdraw: some(permission, /withdraw|^transfer$/i),
        identity: fieldOf(data, "uid")
      }
    }
  },
  keyFaults: [
    // The passphrase is signed with the secret.
    ["signed", /\b400004\b/],
    ["key", /\b(400001|400003)\b/],
    ["secret", /\b400005\b/],
    ["place", /\b400006\b/],
    ["right", /\b400007\b/],
    ["clock", /\b400002\b/]
  ],
  refusals: [
    limits(/"code":"(429000|200002|1015)"/, 10_000),
    refuses(REASONS.market, /"code":"900001"/),
    refuses(REASONS.closed, /"code":"400600"/),
    refuses(REASONS.order, /"code":"(400100|300000|400760)"/)
  ],
  // A time-out, then used ids.
  doubts: [/"code":"408000"/, /"code":"(126044|126033)"/],
  wallet: onePage("data"),
  positions: unifiedPositions,
  dialect
}
