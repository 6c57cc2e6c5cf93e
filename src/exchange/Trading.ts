import type { Ccxt } from "../ccxt/Ccxt.ts"
import { fieldOf } from "../ccxt/Failure.ts"

/**
 * What is used of ccxt to trade, over what the prices need. Amounts and prices go in as decimal texts, which it puts
 * on the market's steps digit by digit; with `number` set to `String` they come out as the exchange wrote them.
 */
export interface Trading extends Ccxt {
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
  fetchPositions(symbols?: ReadonlyArray<string>, params?: object): Promise<unknown>
  fetchTime(params?: object): Promise<unknown>
  setLeverage(leverage: number, symbol: string, params?: object): Promise<unknown>
  setMarginMode(mode: string, symbol: string, params?: object): Promise<unknown>
}

/** Whether an exchange of the library's can trade: all seven can. */
export const isTrading = (ccxt: Ccxt): ccxt is Trading => typeof fieldOf(ccxt, "createOrder") === "function"
