import type { Ccxt } from "../ccxt/Ccxt.ts"
import { fieldOf } from "../ccxt/Failure.ts"

/**
 * What is used of ccxt to trade, over what the prices need. Amounts and prices go in as decimal texts, which it puts
 * on the market's steps digit by digit; with `number` set to `String` they come out as the exchange wrote them.
 */
export interface TradingClient extends Ccxt {
  apiKey: string
  secret: string
  password?: string
  number: unknown
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
  /** A request that the library has no name for: a path below that of an API, signed as the API wants it. */
  request(path: string, api: ReadonlyArray<string>, method: "GET" | "POST", params: object): Promise<unknown>
  fetchPositions(symbols?: ReadonlyArray<string>, params?: object): Promise<unknown>
  fetchTime(params?: object): Promise<unknown>
  setLeverage(leverage: number, symbol: string, params?: object): Promise<unknown>
  setMarginMode(mode: string, symbol: string, params?: object): Promise<unknown>
  fetchLeverage(symbol: string, params?: object): Promise<unknown>
  fetchMarginMode(symbol: string, params?: object): Promise<unknown>
}

/** Whether an exchange of the library's can trade: all seven can. */
export const isTrading = (ccxt: Ccxt): ccxt is TradingClient =>
  typeof fieldOf(ccxt, "createOrder") === "function"

/** A request of the exchange's own, by the name that the library gave it, where it has no call of its own for it. */
export const request = async (ccxt: TradingClient, name: string, params: object = {}): Promise<unknown> => {
  const call = fieldOf(ccxt, name)
  if (typeof call !== "function") throw new TypeError("the library does not know the request")
  return Reflect.apply(call, ccxt, [params])
}
