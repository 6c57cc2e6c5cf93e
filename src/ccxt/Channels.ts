// The streams and requests of an exchange that have bid, ask and last price, and the most markets of one subscription.

/** The channels of one kind of market at one exchange. */
export interface Channels {
  /** The stream with bid and ask. */
  readonly book: "tickers" | "bidsAsks"
  /**
   * The parameters of the stream of tickers that only `last` is taken from, because its bid and ask are older;
   * undefined where the stream with bid and ask has `last` too.
   */
  readonly lastApart: object | undefined
  /** The request that replaces a silent stream. */
  readonly rest: "tickers" | "bidsAsks" | "ticker"
  /** Whether that request always returns all markets of the exchange. */
  readonly tellsAll: boolean
  /** The most markets of one subscription. */
  readonly chunk: number
}

/** One stream and one request with everything. */
export const together = (chunk: number): Channels => ({
  book: "tickers",
  lastApart: undefined,
  rest: "tickers",
  tellsAll: true,
  chunk
})

/** Up to this many markets are requested one by one. */
const FEW = 5

/** The request for `count` markets. */
export const restOf = ({ rest, tellsAll }: Channels, count: number): Channels["rest"] =>
  tellsAll && count <= FEW ? "ticker" : rest
