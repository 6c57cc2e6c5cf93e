/** What is used of a ccxt exchange: the library's own types know far more, and promise what no exchange keeps. */
export interface Ccxt {
  readonly id: string
  readonly clients: Readonly<Record<string, unknown>>
  urls: { api?: unknown }
  options: Record<string, unknown>
  timeout: number
  /** Whether requests wait until the exchange's limits allow them. */
  enableRateLimit: boolean
  last_response_headers?: unknown
  readonly markets?: unknown
  loadHttpProxyAgent(): Promise<unknown>
  loadMarkets(reload?: boolean): Promise<unknown>
  fetchMarkets(params?: object): Promise<unknown>
  fetchTickers(symbols?: Array<string>, params?: object): Promise<unknown>
  fetchTicker(symbol: string, params?: object): Promise<unknown>
  fetchBidsAsks(symbols?: Array<string>, params?: object): Promise<unknown>
  watchTickers(symbols?: Array<string>, params?: object): Promise<unknown>
  watchTicker(symbol: string, params?: object): Promise<unknown>
  watchBidsAsks(symbols?: Array<string>, params?: object): Promise<unknown>
  watchTradesForSymbols(
    symbols: Array<string>,
    since?: number,
    limit?: number,
    params?: object
  ): Promise<unknown>
  close(): Promise<unknown>
}
