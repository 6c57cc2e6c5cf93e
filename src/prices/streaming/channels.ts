// Which streams and requests of each exchange have bid, ask and last price, and how many markets one subscription may
// have.
import type { ExchangeName, MarketKind } from "../../domain/Market.ts"

/** The channels of one kind of market at one exchange. */
export interface Channels {
  /** The stream with bid and ask. */
  readonly book: "tickers" | "bidsAsks"
  /** Whether `last` needs a stream of its own, from which only `last` is used: its bid and ask are older. */
  readonly lastApart: boolean
  /** The request that replaces a silent stream. */
  readonly rest: "tickers" | "bidsAsks" | "ticker"
  /** Whether that request returns all markets of the exchange, whatever is asked for. */
  readonly tellsAll: boolean
  /** The most markets of one subscription. */
  readonly chunk: number
}

const together = (chunk: number): Channels => ({
  book: "tickers",
  lastApart: false,
  rest: "tickers",
  tellsAll: true,
  chunk
})

const CHANNELS: Readonly<Record<ExchangeName, Readonly<Record<MarketKind, Channels>>>> = {
  // The best prices arrive at each change, the ticker once a second; the perpetuals' ticker has no bid and ask.
  binance: {
    spot: { book: "bidsAsks", lastApart: true, rest: "tickers", tellsAll: false, chunk: 200 },
    swap: { book: "bidsAsks", lastApart: true, rest: "bidsAsks", tellsAll: false, chunk: 200 }
  },
  // The ticker of spot markets has no bid and ask; one request takes at most ten of them.
  bybit: {
    spot: { book: "bidsAsks", lastApart: true, rest: "tickers", tellsAll: true, chunk: 10 },
    swap: together(100)
  },
  okx: { spot: together(100), swap: together(100) },
  // At each change of the best prices, not only with each trade.
  kraken: {
    spot: { book: "bidsAsks", lastApart: false, rest: "tickers", tellsAll: false, chunk: 100 },
    swap: { book: "bidsAsks", lastApart: false, rest: "tickers", tellsAll: false, chunk: 100 }
  },
  coinbase: {
    spot: { book: "tickers", lastApart: false, rest: "ticker", tellsAll: false, chunk: 100 },
    swap: { book: "tickers", lastApart: false, rest: "ticker", tellsAll: false, chunk: 100 }
  },
  // The ticker of perpetuals arrives with trades only.
  kucoin: {
    spot: together(100),
    swap: { book: "bidsAsks", lastApart: true, rest: "ticker", tellsAll: false, chunk: 100 }
  },
  bitget: { spot: together(50), swap: together(50) }
}

/** Up to this many markets are requested one by one. */
const FEW = 5

/** The request for `count` markets. */
export const restOf = ({ rest, tellsAll }: Channels, count: number): Channels["rest"] =>
  tellsAll && count <= FEW ? "ticker" : rest

/** The parameters of the stream of last prices, if not ccxt's default. */
export const lastOf = (exchange: ExchangeName): object => (exchange === "binance" ? { name: "ticker" } : {})

export const channelsOf = (exchange: ExchangeName, kind: MarketKind): Channels => CHANNELS[exchange][kind]
