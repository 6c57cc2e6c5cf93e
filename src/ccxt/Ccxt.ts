/**
 * What is used of a ccxt exchange: the library's own types know far more, and promise what no exchange keeps. What
 * comes back is parsed by whoever asked.
 */
export interface Ccxt {
  readonly id: string
  urls: { api?: unknown }
  options: Record<string, unknown>
  has: Record<string, unknown>
  /** Until a request is given up (ms). */
  timeout: number
  /** Whether requests wait until the exchange's limits allow them. */
  enableRateLimit: boolean
  last_response_headers?: unknown
  /** What sends its requests; its own where there is none. */
  fetchImplementation?: unknown
  /** Proxies of streams without TLS; the library wants to be told that there is none. */
  httpAgent?: unknown
  /** Called for each answer to a request: throws where it is an error. `parsed` is undefined where it is no JSON. */
  handleErrors(
    code: unknown,
    reason: unknown,
    url: string,
    method: unknown,
    headers: unknown,
    body: unknown,
    parsed: unknown,
    ...rest: ReadonlyArray<unknown>
  ): unknown
  /** At the exchange's own test network from now on; throws where it has none. */
  setSandboxMode(enabled: boolean): void
  /** The time (ms since the epoch). */
  milliseconds(): number
  /** Where it writes frames that it cannot read. */
  log(...what: ReadonlyArray<unknown>): unknown
  readonly clients: Record<string, Client>
  /** By symbol; absent before they were loaded. */
  readonly markets?: Record<string, unknown> | undefined
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
  /** The stream of an address, made where there is none. */
  client(url: string): Client
  /** Called for each frame of a stream, and for its end; bound when the stream is opened. */
  handleMessage(client: Client, message: unknown): unknown
  onError(client: Client, error: unknown): unknown
  onClose(client: Client, error: unknown): unknown
  /** Called by all that parses a ticker or a trade, with what the exchange said as texts. */
  safeTicker(ticker: Figures, market?: unknown): object
  safeTrade(trade: Figures, market?: unknown): object
  close(): Promise<unknown>
}

/** A ticker or a trade before the library counts what else could be said of it. */
export interface Figures {
  readonly symbol?: unknown
  readonly bid?: unknown
  readonly ask?: unknown
  readonly last?: unknown
  readonly price?: unknown
  readonly amount?: unknown
  readonly timestamp?: unknown
}

/** One stream. */
export interface Client {
  readonly url: string
  readonly connection?: unknown
  close(): unknown
}
