import type { Ccxt } from "../../../src/ccxt/Ccxt.ts"
import { fieldOf } from "../../../src/ccxt/Failure.ts"
import { load } from "../../../src/ccxt/load.ts"
import type { ExchangeName } from "../../../src/domain/Market.ts"
import type { Stub } from "../Stub.ts"

/** What is used of ccxt to trade, over what the prices need. */
export interface Trading extends Ccxt {
  apiKey: string
  secret: string
  password?: string
  nonce: () => number
  handleErrors: (code: unknown, reason: unknown, url: string, ...rest: ReadonlyArray<unknown>) => unknown
  createOrder: (
    symbol: string,
    type: string,
    side: string,
    amount: number,
    price?: number,
    params?: object
  ) => Promise<unknown>
  createMarketBuyOrderWithCost: (symbol: string, cost: number, params?: object) => Promise<unknown>
  cancelOrder: (id: string, symbol: string, params?: object) => Promise<unknown>
  fetchOrder: (id: string | undefined, symbol: string, params?: object) => Promise<unknown>
  fetchOpenOrders: (symbol: string, since?: number, limit?: number, params?: object) => Promise<unknown>
  fetchClosedOrders: (symbol: string, since?: number, limit?: number, params?: object) => Promise<unknown>
  fetchMyTrades: (symbol: string, since?: number, limit?: number, params?: object) => Promise<unknown>
  fetchBalance: (params?: object) => Promise<unknown>
  fetchTime: (params?: object) => Promise<unknown>
  setLeverage: (leverage: number, symbol: string, params?: object) => Promise<unknown>
  setMarginMode: (mode: string, symbol: string, params?: object) => Promise<unknown>
}

const isTrading = (ccxt: Ccxt): ccxt is Trading => typeof fieldOf(ccxt, "createOrder") === "function"

/** A ccxt that may trade on a stub. */
export const open = async (name: ExchangeName, stub: Stub): Promise<Trading> => {
  const exchange = await load(name, stub.url)
  if (!isTrading(exchange)) throw new Error("ccxt cannot trade")
  Object.assign(exchange, stub.desk.credentials)
  exchange.enableRateLimit = false
  exchange.options["fetchBalance"] = name === "coinbase" ? "v3PrivateGetBrokerageAccounts" : undefined
  // Kraken's numbers have to grow, also within a millisecond.
  let last = 0
  if (name === "kraken")
    exchange.nonce = () => {
      last = Math.max(last + 1, Date.now())
      return last
    }
  home(exchange, stub.url)
  return exchange
}

/**
 * Binance's words mean something else on each of its hosts, and the library tells them apart by how the address
 * begins: behind another address it would take none for its own.
 */
export const home = (exchange: Trading, base: string): void => {
  const judge = exchange.handleErrors.bind(exchange)
  exchange.handleErrors = (code, reason, url, ...rest) =>
    judge(code, reason, url.replace(`${base}/`, "https://"), ...rest)
}
