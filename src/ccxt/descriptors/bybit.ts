// Bybit. Its margin mode is set for the whole account; accounts that are not unified are not supported.

import { TIMEFRAMES } from "../../domain/candles/Timeframe.ts"
import { together } from "../Channels.ts"
import { type Descriptor, TIME_ERROR, unifiedPositions } from "../Descriptor.ts"
import { cursorOf, type Dialect, OWN_MARGIN, PAGE, SINGLE, usual } from "../Dialect.ts"
import { ORDER_MS, signed } from "../expiry/Expiry.ts"
import { fieldOf } from "../Field.ts"
import { list, PLAIN_KEYS, some } from "../Keys.ts"
import { limits, REASONS, refuses } from "../Refusal.ts"
import { onePage } from "../WalletPages.ts"

const dialect: Dialect = {
  send: (request) => usual(request, "clientOrderId", { stopLossPrice: request.price }),
  marketBuys: true,
  clientIdFields: [],
  find: ({ clientId, symbol }) => [
    // Also returns an order for a while after its end.
    (ccxt) => ccxt.fetchOpenOrders(symbol, undefined, undefined, { orderLinkId: clientId }),
    (ccxt) => ccxt.fetchCanceledAndClosedOrders(symbol, undefined, undefined, { orderLinkId: clientId })
  ],
  byId: (ccxt, { symbol }, id) => ccxt.fetchOrder(id, symbol, { acknowledged: true }),
  trades: (ccxt, { from, id, symbol }) =>
    ccxt.fetchMyTrades(symbol, undefined, PAGE, { orderId: id, cursor: from }),
  next: (page) => cursorOf(page, "nextPageCursor"),
  cancel: (ccxt, { isStop, isSwap, symbol }, id) =>
    ccxt.cancelOrder(id, symbol, isStop && !isSwap ? { orderFilter: "tpslOrder" } : {}),
  became: undefined,
  child: undefined,
  isolation: {
    settings: [
      // Set for the whole account.
      { ...OWN_MARGIN, set: (ccxt, symbol) => ccxt.setMarginMode("isolated", symbol, { leverage: 1 }) },
      SINGLE
    ],
    isSetAlready: /110043|110026|leverage not modified/i
  }
}

export const bybit: Descriptor = {
  open: async (options) =>
    new (await import("../../../node_modules/ccxt/js/src/pro/bybit.js")).default(options),
  home: "https://api.bybit.com",
  hasSandbox: true,
  options: {
    recvWindow: ORDER_MS,
    enableUnifiedMargin: false,
    enableUnifiedAccount: true,
    unifiedMarginStatus: 6,
    createMarketBuyOrderRequiresPrice: false
  },
  marketTypes: ["spot", "linear"],
  minCostField: undefined,
  candles: {
    rows: { spot: 1000, swap: 1000 },
    newest: undefined,
    timeframes: TIMEFRAMES,
    takesUntil: true,
    inContracts: false
  },
  funding: { rows: 200, ends: "until" },
  rate: { perSecond: 8, burst: 16 },
  // It asks for ten minutes of silence; other pages share its status.
  ban: { status: 403, says: /access too frequent/i, ms: 600_000 },
  limit: undefined,
  timeErrors: [TIME_ERROR],
  // "server_time - recv_window <= timestamp < server_time + 1000": bybit-exchange.github.io/docs/v5/guide.
  expiry: signed(ORDER_MS),
  isNumbered: false,
  // The ticker of spot markets has no bid and ask; one request takes at most ten of them.
  channels: {
    spot: { book: "bidsAsks", lastApart: {}, rest: "tickers", tellsAll: true, chunk: 10 },
    swap: together(100)
  },
  keys: PLAIN_KEYS,
  rights: {
    request: "privateGetV5UserQueryApi",
    read: (answer) => {
      const result = fieldOf(answer, "result")
      const permissions = fieldOf(result, "permissions")
      const readOnly = fieldOf(result, "readOnly")
      const spot = list(fieldOf(permissions, "Spot"))
      return {
        trade:
          readOnly === undefined || spot === undefined
            ? undefined
            : Number(readOnly) === 0 && spot.includes("SpotTrade"),
        withdraw: some(list(fieldOf(permissions, "Wallet")), /withdraw/i),
        identity: fieldOf(result, "userID")
      }
    }
  },
  keyFaults: [
    ["key", /\b(10003|33004)\b/],
    ["secret", /\b10004\b/],
    ["right", /\b10005\b/],
    ["place", /\b10010\b/],
    ["clock", /\b10002\b/]
  ],
  refusals: [
    limits(/"retCode":(10006|10018|10429),/),
    // The ban of the machine's address, a 403 with nothing else.
    limits(/access too frequent\.?\s*$/i, 600_000),
    refuses(REASONS.order, /"retCode":(10001|170130|170134|170136|170137|170140),/)
  ],
  // Time-outs, then used ids.
  doubts: [/"retCode":(10000|10014|12141|170007|170035|170146|170147),/, /"retCode":(110030|110072|170141),/],
  wallet: onePage("result", "list", "0", "coin"),
  positions: unifiedPositions,
  dialect
}
