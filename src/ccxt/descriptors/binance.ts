// Binance. Stops of perpetuals have ids of their own and become another order when they trigger.
import { TIMEFRAMES } from "../../domain/candles/Timeframe.ts"
import { type Descriptor, TIME_ERROR } from "../Descriptor.ts"
import { type Dialect, numbersOf, type OrderQuery, OWN_MARGIN, PAGE, SINGLE, usual } from "../Dialect.ts"
import { ORDER_MS, signed } from "../expiry/Expiry.ts"
import { fieldOf } from "../Field.ts"
import { flag, PLAIN_KEYS } from "../Keys.ts"
import { limits, REASONS, refuses } from "../Refusal.ts"
import { request } from "../TradingClient.ts"
import { onePage } from "../WalletPages.ts"

/** Stops of perpetuals are kept apart, with ids of their own. */
const apart = ({ isStop, isSwap }: OrderQuery) => (isStop && isSwap ? { trigger: true } : {})

/** The rows of a page of trades. */
const MOST = 10 * PAGE

/**
 * Without ccxt's own method, which would first load all leverage brackets. A row without an amount stays without one.
 * A row of another perpetual keeps its own symbol, so that whoever reads the rows leaves it out.
 */
const positions: Descriptor["positions"] = async (ccxt, symbol) => {
  const id = fieldOf(ccxt.markets?.[symbol], "id")
  const rows = await request(ccxt, "fapiPrivateV3GetPositionRisk", { symbol: id })
  if (!Array.isArray(rows)) return rows
  return rows.map((row) => {
    const own = fieldOf(row, "symbol")
    const contracts = String(fieldOf(row, "positionAmt"))
    const side = contracts.startsWith("-") ? "short" : "long"
    return { symbol: own === id ? symbol : own, contracts, contractSize: "1", side }
  })
}

const dialect: Dialect = {
  send: (request) => usual(request, "clientOrderId", { stopLossPrice: request.price }),
  marketBuys: true,
  clientIdFields: ["clientAlgoId"],
  find: (query) => [
    (ccxt) => ccxt.fetchOrder(undefined, query.symbol, { clientOrderId: query.clientId, ...apart(query) }),
    (ccxt) => ccxt.fetchOpenOrders(query.symbol, undefined, undefined, apart(query)),
    ...(query.isStop && query.isSwap
      ? []
      : [(ccxt: Parameters<Dialect["byId"]>[0]) => ccxt.fetchOrders(query.symbol, query.since, 500)])
  ],
  byId: (ccxt, query, id) => ccxt.fetchOrder(id, query.symbol, apart(query)),
  trades: (ccxt, { from, id, symbol }) =>
    ccxt.fetchMyTrades(symbol, undefined, MOST, { orderId: id, fromId: from }),
  // Without a start id only the latest trades are returned; then all are read from the first.
  next: (page, { from }) => {
    const numbers = numbersOf(page, "id", MOST)
    if (numbers === undefined) return undefined
    return from === undefined ? "0" : (numbers.highest + 1n).toString()
  },
  cancel: (ccxt, query, id) => ccxt.cancelOrder(id, query.symbol, apart(query)),
  became: (order) => {
    const id = fieldOf(fieldOf(order, "info"), "actualOrderId")
    return id === undefined || id === null || id === "" ? undefined : String(id)
  },
  child: undefined,
  isolation: {
    settings: [
      OWN_MARGIN,
      {
        set: SINGLE.set,
        // For the leverage alone ccxt would query all markets.
        isSet: async (ccxt, symbol) =>
          Number(fieldOf(fieldOf(await ccxt.fetchMarginMode(symbol), "info"), "leverage")) === 1
      }
    ],
    isSetAlready: /-4046|no need to change/i
  }
}

export const binance: Descriptor = {
  open: async (options) =>
    new (await import("../../../node_modules/ccxt/js/src/pro/binance.js")).default(options),
  home: "https://api.binance.com",
  hasSandbox: true,
  options: {
    recvWindow: ORDER_MS,
    fetchMargins: false,
    warnOnFetchOpenOrdersWithoutSymbol: false,
    disableFuturesSandboxWarning: true
  },
  marketTypes: ["spot", "linear"],
  minCostField: undefined,
  // A page has at most 1,000 candles (1,500 for perpetuals, of which ccxt asks for 1,000).
  candles: {
    rows: { spot: 1000, swap: 1000 },
    newest: undefined,
    timeframes: TIMEFRAMES,
    takesUntil: true,
    inContracts: false
  },
  funding: { rows: 1000, ends: "until" },
  rate: { perSecond: 10, burst: 20 },
  ban: undefined,
  limit: undefined,
  timeErrors: [TIME_ERROR],
  // "serverTime - timestamp <= recvWindow", on arrival and again before the matching engine; a time a second ahead is
  // refused: developers.binance.com/docs/binance-spot-api-docs/rest-api/request-security. Perpetuals are the same (-5028).
  expiry: signed(ORDER_MS),
  isNumbered: false,
  // The best prices arrive at each change, the ticker once a second; the perpetuals' ticker has no bid and ask.
  channels: {
    spot: { book: "bidsAsks", lastApart: { name: "ticker" }, rest: "tickers", tellsAll: false, chunk: 200 },
    swap: { book: "bidsAsks", lastApart: { name: "ticker" }, rest: "bidsAsks", tellsAll: false, chunk: 200 }
  },
  keys: PLAIN_KEYS,
  rights: {
    request: "sapiGetAccountApiRestrictions",
    read: (answer) => ({
      trade: flag(fieldOf(answer, "enableSpotAndMarginTrading")),
      withdraw: flag(fieldOf(answer, "enableWithdrawals"))
    })
  },
  keyFaults: [
    ["key", /-201[45]\b/],
    ["secret", /-1022\b/],
    ["clock", /-1021\b/]
  ],
  refusals: [
    limits(/"code":(-1003|-1015),/),
    // ccxt takes it for a ban once a key has worked.
    refuses(REASONS.key, /"code":(-2014|-2015|-1022),/),
    refuses(REASONS.order, /"code":(-1013|-1100|-1102|-1111|-1106|-4164|-4003|-4014|-4015),/)
  ],
  doubts: [/"code":(-4116|-20132),/],
  wallet: onePage("balances"),
  positions,
  dialect
}
