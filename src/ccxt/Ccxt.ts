// The part of a ccxt exchange that we use. Its own types promise more than exchanges keep, so every result is `unknown`
// and the caller parses it.

/** The fetch function of ccxt. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A ccxt exchange. */
export interface Ccxt {
  readonly id: string
  urls: { api?: unknown }
  options: Record<string, unknown>
  has: Record<string, unknown>
  /** The time-out of a request (ms). */
  timeout: number
  /** Whether requests wait for the exchange's rate limits. */
  enableRateLimit: boolean
  last_response_headers?: unknown
  /** The fetch function for its requests; its own if undefined. */
  fetchImplementation?: unknown
  /** The proxy agent of streams without TLS; null means none. */
  httpAgent?: unknown
  /** Makes a figure of an exchange's text: `Number`, or `String` to keep its digits. */
  number: unknown
  /** Called for each answer to a request; throws if it is an error. `parsed` is undefined if the answer is no JSON. */
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
  /** Switches to the exchange's test network; throws if it has none. */
  setSandboxMode(enabled: boolean): void
  /** The time (ms since the epoch). */
  milliseconds(): number
  /** Logs frames that it cannot read. */
  log(...what: ReadonlyArray<unknown>): unknown
  readonly clients: Record<string, Client>
  /** By symbol; undefined until loaded. */
  readonly markets?: Record<string, unknown> | undefined
  loadMarkets(reload?: boolean): Promise<unknown>
  fetchMarkets(params?: object): Promise<unknown>
  fetchTickers(symbols?: Array<string>, params?: object): Promise<unknown>
  fetchTicker(symbol: string, params?: object): Promise<unknown>
  fetchBidsAsks(symbols?: Array<string>, params?: object): Promise<unknown>
  fetchOHLCV(
    symbol: string,
    timeframe: string,
    since?: number,
    limit?: number,
    params?: object
  ): Promise<unknown>
  fetchFundingRateHistory(symbol: string, since?: number, limit?: number, params?: object): Promise<unknown>
  watchTickers(symbols?: Array<string>, params?: object): Promise<unknown>
  watchTicker(symbol: string, params?: object): Promise<unknown>
  watchBidsAsks(symbols?: Array<string>, params?: object): Promise<unknown>
  watchTradesForSymbols(
    symbols: Array<string>,
    since?: number,
    limit?: number,
    params?: object
  ): Promise<unknown>
  /** The stream of a URL, created if there is none. */
  client(url: string): Client
  /** Called for each frame and at the end of a stream; bound when the stream opens. */
  handleMessage(client: Client, message: unknown): unknown
  onError(client: Client, error: unknown): unknown
  onClose(client: Client, error: unknown): unknown
  /** Called by every parser of a ticker or trade, with the exchange's texts. */
  safeTicker(ticker: Figures, market?: unknown): object
  safeTrade(trade: Figures, market?: unknown): object
  close(): Promise<unknown>
}

/** A ticker or trade before the library derives further figures from it. */
export interface Figures {
  readonly symbol?: unknown
  readonly bid?: unknown
  readonly ask?: unknown
  readonly last?: unknown
  readonly price?: unknown
  readonly amount?: unknown
  readonly timestamp?: unknown
}

/** A stream. */
export interface Client {
  readonly url: string
  readonly connection?: unknown
  close(): unknown
}
