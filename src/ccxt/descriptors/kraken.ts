// Kraken. Requests carry a growing nonce; fees are taken in the quote asset; only spot is traded.
import { type Descriptor, TIME_ERROR, unifiedPositions } from "../Descriptor.ts"
import { type Dialect, usual } from "../Dialect.ts"
import { type Expiry, ORDER_MS } from "../expiry/Expiry.ts"
import { fieldOf } from "../Field.ts"
import { list, PLAIN_KEYS, some } from "../Keys.ts"
import { limits, REASONS, refuses } from "../Refusal.ts"
import type { WalletPages } from "../WalletPages.ts"

const pageOf: WalletPages["page"] = (info) => {
  const result = fieldOf(info, "result")
  return typeof result === "object" && result !== null && !Array.isArray(result) ? "last" : undefined
}

/**
 * `BTC.F` earns interest ("Auto Earn") and is spent by orders in BTC: "use the base asset (e.g. `USDT` to transact with
 * your `USDT` and `USDT.F` balances)", docs.kraken.com/api-reference/account-data/get-extended-balance. Other suffixes
 * (`.B`, `.M`, `.S`, `.P`) are locked and must be released by hand.
 */
const spentAs = (asset: string): string => (asset.endsWith(".F") ? asset.slice(0, -".F".length) : asset)

const dialect: Dialect = {
  send: (request) => {
    const sending = usual(request, "clientOrderId", { stopLossPrice: request.price })
    // Fees in the quote asset, for sales too; ccxt assumes that.
    return { ...sending, params: { ...sending.params, oflags: "fciq" } }
  },
  marketBuys: true,
  clientIdFields: ["cl_ord_id"],
  find: ({ clientId, since, symbol }) => [
    (ccxt) => ccxt.fetchOpenOrders(symbol, undefined, undefined, { clientOrderId: clientId, trades: true }),
    (ccxt) => ccxt.fetchClosedOrders(symbol, since, undefined, { clientOrderId: clientId, trades: true })
  ],
  byId: (ccxt, { symbol }, id) => ccxt.fetchOrder(id, symbol),
  trades: async (ccxt, { id, order, symbol }) => {
    const trades = fieldOf(fieldOf(order, "info"), "trades")
    if (!Array.isArray(trades) || trades.length === 0) return []
    const ids = trades.map(String)
    // ccxt asks for twenty trades at a time, and after a full last twenty for none, which the exchange refuses.
    const query = ids.length % 20 === 0 ? [...ids, ids[0]] : ids
    return ccxt.fetchOrderTrades(id, symbol, undefined, undefined, { trades: query })
  },
  next: () => undefined,
  cancel: (ccxt, { symbol }, id) => ccxt.cancelOrder(id, symbol),
  became: undefined,
  child: undefined,
  isolation: undefined
}

/**
 * "Timestamp after which the matching engine should reject the new order request", from 2 to 60 seconds ahead:
 * docs.kraken.com/api/docs/rest-api/add-order. Kraken tells us its time in whole seconds, so the end may be a second off.
 */
const expiry: Expiry = {
  validMs: ORDER_MS,
  params: (now) => ({ deadline: new Date(now + ORDER_MS).toISOString() }),
  headers: () => ({}),
  refusal: /EService:Deadline elapsed|EGeneral:Invalid arguments:deadline/
}

export const kraken: Descriptor = {
  open: async (options) =>
    new (await import("../../../node_modules/ccxt/js/src/pro/kraken.js")).default(options),
  home: "https://api.kraken.com",
  hasSandbox: false,
  options: {},
  marketTypes: undefined,
  minCostField: undefined,
  // "Up to 720 of the most recent entries"; older ones cannot be had, whatever `since` says:
  // docs.kraken.com/api/docs/rest-api/get-ohlc-data.
  candles: {
    rows: { spot: 720, swap: 720 },
    newest: 720,
    timeframes: ["1m", "5m", "15m", "30m", "1h", "4h", "1d"],
    takesUntil: false,
    inContracts: false
  },
  funding: undefined,
  // It counts calls up to 15 and forgets a third a second at the lowest tier; it counts orders apart, per pair, up to 60
  // and forgets one a second.
  rate: { perSecond: 1, burst: 12, orders: { perSecond: 2, burst: 20 } },
  ban: undefined,
  limit: undefined,
  timeErrors: [TIME_ERROR],
  expiry,
  isNumbered: true,
  // At each change of the best prices, not only with each trade.
  channels: {
    spot: { book: "bidsAsks", lastApart: undefined, rest: "tickers", tellsAll: false, chunk: 100 },
    swap: { book: "bidsAsks", lastApart: undefined, rest: "tickers", tellsAll: false, chunk: 100 }
  },
  keys: { ...PLAIN_KEYS, form: "base64" },
  rights: {
    request: "privatePostGetApiKeyInfo",
    read: (answer) => {
      const permissions = list(fieldOf(fieldOf(answer, "result"), "permissions"))
      return { trade: some(permissions, /^modify-trades$/), withdraw: some(permissions, /withdraw/) }
    }
  },
  keyFaults: [
    ["key", /EAPI:Invalid key/],
    ["secret", /EAPI:Invalid signature/],
    ["nonce", /EAPI:Invalid nonce/],
    ["right", /EGeneral:Permission denied/]
  ],
  refusals: [
    limits(/E(API|Order):Rate limit exceeded|EGeneral:Too many requests/, 10_000),
    limits(/EGeneral:Temporary lockout/, 60_000),
    refuses(REASONS.key, /EAPI:Invalid (signature|key)/),
    refuses(REASONS.market, /EQuery:(Unknown|Invalid) asset pair/),
    refuses(REASONS.closed, /EService:Market in (cancel|post|reduce)_only mode/),
    refuses(REASONS.funds, /EOrder:Insufficient funds/),
    refuses(REASONS.expired, /EGeneral:Invalid arguments:deadline/),
    // An unknown error is no answer to placing an order.
    refuses(
      REASONS.order,
      /E(General|Order):(Invalid|Cost|Order minimum|Insufficient|Trading|Positions|Orders|Margin)/
    )
  ],
  doubts: [],
  wallet: { page: pageOf, spentAs },
  positions: unifiedPositions,
  dialect
}
