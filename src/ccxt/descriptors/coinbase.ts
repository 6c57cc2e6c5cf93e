// Coinbase. It finds orders by its own ids only, so lists are searched for the client order id; market buys and stops
// become limit orders; only spot is traded.
import type { Channels } from "../Channels.ts"
import { type Descriptor, TIME_ERROR, unifiedPositions } from "../Descriptor.ts"
import { cursorOf, type Dialect, PAGE, usual } from "../Dialect.ts"
import { ORDER_MS, signed } from "../expiry/Expiry.ts"
import { fieldOf } from "../Field.ts"
import { flag } from "../Keys.ts"
import { limits, misses, REASONS, refuses } from "../Refusal.ts"
import type { WalletPages } from "../WalletPages.ts"

/** How long a token is valid at the longest (s): docs.cdp.coinbase.com/get-started/authentication/jwt-authentication. */
const TOKEN_SECONDS = 120
/** Where orders are placed. */
const ORDERS = /\/api\/v3\/brokerage\/orders$/

/**
 * ccxt streams many tickers only every five seconds, and single ones run into a limit; this subscribes to all at once. The
 * token of an order is made as if most of its time had passed already.
 */
const open: Descriptor["open"] = async (options) => {
  const { default: Exchange } = await import("../../../node_modules/ccxt/js/src/pro/coinbase.js")
  return new (class extends Exchange {
    override watchTickers(symbols: Array<string>, params: object) {
      return this.subscribeMultiple("ticker", false, symbols, params)
    }

    override createAuthToken(seconds: number, method?: string, url?: string, useEddsa?: boolean) {
      const isOrder = method === "POST" && url !== undefined && ORDERS.test(url)
      const passed = isOrder ? TOKEN_SECONDS - ORDER_MS / 1000 : 0
      return super.createAuthToken(seconds - passed, method, url, useEddsa)
    }
  })(options)
}

/** A page has at most 250 wallets, one per asset that the account ever had. */
const pageOf: WalletPages["page"] = (info) => {
  if (!Array.isArray(fieldOf(info, "accounts"))) return undefined
  const hasNext = fieldOf(info, "has_next")
  if (hasNext === false || hasNext === "false") return "last"
  const cursor = fieldOf(info, "cursor")
  return typeof cursor === "string" && cursor !== "" ? { from: cursor } : undefined
}

const dialect: Dialect = {
  send: (request) => {
    const isLimit =
      request.order.type === "limit" || (request.order.side === "buy" && request.order.type === "market")
    const sending = usual(request, "client_order_id", { stopLossPrice: request.price }, isLimit)
    return request.order.type === "stop" ? { ...sending, type: "limit", price: request.worst } : sending
  },
  marketBuys: false,
  clientIdFields: [],
  // Orders can be queried by the exchange's ids only.
  find: ({ since, symbol }) => [
    {
      list: (ccxt, cursor) => ccxt.fetchOrders(symbol, since, 10 * PAGE, { cursor }),
      next: (page) => cursorOf(page, "cursor")
    }
  ],
  byId: (ccxt, { symbol }, id) => ccxt.fetchOrder(id, symbol),
  trades: (ccxt, { from, id, symbol }) =>
    ccxt.fetchMyTrades(symbol, undefined, 10 * PAGE, { order_ids: id, cursor: from }),
  next: (page) => cursorOf(page, "cursor"),
  cancel: (ccxt, { symbol }, id) => ccxt.cancelOrder(id, symbol),
  became: undefined,
  child: undefined,
  isolation: undefined
}

const TICKERS: Channels = {
  ...{ book: "tickers", lastApart: undefined, rest: "ticker", tellsAll: false, chunk: 100 }
}

export const coinbase: Descriptor = {
  open,
  home: "https://api.coinbase.com",
  hasSandbox: false,
  options: {
    // Of ccxt's two balance requests, this one reports what open orders lock.
    fetchBalance: "v3PrivateGetBrokerageAccounts",
    // In milliseconds; the other request returns whole seconds.
    fetchTime: "v3PublicGetBrokerageTime",
    createMarketBuyOrderRequiresPrice: false
  },
  marketTypes: undefined,
  minCostField: undefined,
  candles: {
    rows: { spot: 300, swap: 300 },
    newest: undefined,
    timeframes: ["1m", "5m", "15m", "30m", "1h", "2h", "6h", "1d"],
    takesUntil: true,
    inContracts: false
  },
  funding: undefined,
  rate: { perSecond: 8, burst: 16 },
  ban: undefined,
  limit: undefined,
  // It does not say what is wrong with a token; its time may be.
  timeErrors: [TIME_ERROR, "AuthenticationError"],
  expiry: signed(ORDER_MS),
  isNumbered: false,
  channels: { spot: TICKERS, swap: TICKERS },
  keys: {
    apiKey: "Name of the key (organizations/.../apiKeys/...)",
    secret: "Private key, from BEGIN to END",
    form: "pem"
  },
  rights: {
    request: "v3PrivateGetBrokerageKeyPermissions",
    read: (answer) => ({
      trade: flag(fieldOf(answer, "can_trade")),
      // A transfer sends money to anybody.
      withdraw: flag(fieldOf(answer, "can_transfer")),
      identity: fieldOf(answer, "portfolio_uuid")
    })
  },
  keyFaults: [
    ["right", /PERMISSION_DENIED|Missing required scopes/],
    ["either", /Unauthorized/i]
  ],
  refusals: [
    limits(/"error":"(rate_limit_exceeded|resource_exhausted)"/i),
    limits(/ 429 .*too many requests\s*$/i),
    refuses(REASONS.funds, /"(error|preview_failure_reason)":"(PREVIEW_)?INSUFFICIENT_FUND"/),
    refuses(REASONS.order, /"preview_failure_reason":"PREVIEW_(?!UNKNOWN)/),
    refuses(
      REASONS.order,
      /"error":"(INVALID_(SIZE|PRICE)_PRECISION|INVALID_LIMIT_PRICE|UNSUPPORTED_ORDER_CONFIGURATION)"/
    ),
    refuses(REASONS.closed, /"error":"ORDER_ENTRY_DISABLED"/),
    refuses(REASONS.market, /account is not available|"error":"INVALID_ARGUMENT"/),
    misses(/UNKNOWN_CANCEL_ORDER|order with this orderID was not found/)
  ],
  doubts: [],
  wallet: { page: pageOf, spentAs: undefined },
  positions: unifiedPositions,
  dialect
}
