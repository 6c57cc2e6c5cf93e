// The part of a ccxt exchange that trades. Amounts and prices go in as decimal texts and come out as the exchange wrote
// them, so that no float touches money.
import type { Ccxt } from "./Ccxt.ts"
import { fieldOf } from "./Field.ts"

/**
 * A ccxt exchange with keys. It rounds amounts and prices to the market's steps by text; with `number` set to `String`
 * results keep the exchange's digits.
 */
export interface TradingClient extends Ccxt {
  apiKey: string
  secret: string
  password?: string
  readonly isSandboxModeEnabled?: boolean
  nonce(): number
  seconds(): number
  setMarketsFromExchange(source: unknown): unknown
  createOrder(
    symbol: string,
    type: string,
    side: string,
    amount: number | string,
    price?: number | string,
    params?: object
  ): Promise<unknown>
  createMarketBuyOrderWithCost(symbol: string, cost: number, params?: object): Promise<unknown>
  cancelOrder(id: string | undefined, symbol: string, params?: object): Promise<unknown>
  fetchOrder(id: string | undefined, symbol: string, params?: object): Promise<unknown>
  fetchOpenOrders(symbol: string, since?: number, limit?: number, params?: object): Promise<unknown>
  fetchClosedOrders(symbol: string, since?: number, limit?: number, params?: object): Promise<unknown>
  fetchCanceledOrders(symbol: string, since?: number, limit?: number, params?: object): Promise<unknown>
  fetchCanceledAndClosedOrders(
    symbol: string,
    since?: number,
    limit?: number,
    params?: object
  ): Promise<unknown>
  fetchOrders(symbol: string, since?: number, limit?: number, params?: object): Promise<unknown>
  fetchMyTrades(symbol: string | undefined, since?: number, limit?: number, params?: object): Promise<unknown>
  fetchOrderTrades(
    id: string,
    symbol: string,
    since?: number,
    limit?: number,
    params?: object
  ): Promise<unknown>
  fetchBalance(params?: object): Promise<unknown>
  /** Sends a signed request to a path of one of the exchange's APIs, for requests without a ccxt method. */
  request(path: string, api: ReadonlyArray<string>, method: "GET" | "POST", params: object): Promise<unknown>
  fetchPositions(symbols?: ReadonlyArray<string>, params?: object): Promise<unknown>
  fetchTime(params?: object): Promise<unknown>
  setLeverage(leverage: number, symbol: string, params?: object): Promise<unknown>
  setMarginMode(mode: string, symbol: string, params?: object): Promise<unknown>
  fetchLeverage(symbol: string, params?: object): Promise<unknown>
  fetchMarginMode(symbol: string, params?: object): Promise<unknown>
}

/** Whether a ccxt exchange can trade; all supported ones can. */
export const isTrading = (ccxt: Ccxt): ccxt is TradingClient =>
  typeof fieldOf(ccxt, "createOrder") === "function"

/** Calls a generated ccxt method by name, for requests without a unified one. */
export const request = async (ccxt: TradingClient, name: string, params: object = {}): Promise<unknown> => {
  const call = fieldOf(ccxt, name)
  if (typeof call !== "function") throw new TypeError("the library does not know the request")
  return Reflect.apply(call, ccxt, [params])
}
