import type { ExchangeName, MarketKind } from "../../domain/Market.ts"

/** How ccxt is asked for the prices of one kind of market at one exchange. */
export interface Channels {
  /** The streams that tell bid and ask. */
  readonly book: "tickers" | "bidsAsks"
  /** Whether `last` needs a stream of its own, of which only that is believed: its bid and ask are older. */
  readonly lastApart: boolean
  /** The request that tells them while the streams do not. */
  readonly rest: "tickers" | "bidsAsks" | "ticker"
  /** Whether that request answers with all markets of the exchange, whichever are asked for. */
  readonly tellsAll: boolean
  /** Markets that go into one subscription. */
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
  // The best prices come at each change, the ticker once a second; the perpetuals' ticker has no bid and ask.
  binance: {
    spot: { book: "bidsAsks", lastApart: true, rest: "tickers", tellsAll: false, chunk: 200 },
    swap: { book: "bidsAsks", lastApart: true, rest: "bidsAsks", tellsAll: false, chunk: 200 }
  },
  // The ticker of spot markets has no bid and ask; no more than ten of them go into one request.
  bybit: {
    spot: { book: "bidsAsks", lastApart: true, rest: "tickers", tellsAll: true, chunk: 10 },
    swap: together(100)
  },
  okx: { spot: together(100), swap: together(100) },
  // Told at each change of the best prices, and not only with each trade.
  kraken: {
    spot: { book: "bidsAsks", lastApart: false, rest: "tickers", tellsAll: false, chunk: 100 },
    swap: { book: "bidsAsks", lastApart: false, rest: "tickers", tellsAll: false, chunk: 100 }
  },
  coinbase: {
    spot: { book: "tickers", lastApart: false, rest: "ticker", tellsAll: false, chunk: 100 },
    swap: { book: "tickers", lastApart: false, rest: "ticker", tellsAll: false, chunk: 100 }
  },
  // The ticker of perpetuals comes with trades alone.
  kucoin: {
    spot: together(100),
    swap: { book: "bidsAsks", lastApart: true, rest: "ticker", tellsAll: false, chunk: 100 }
  },
  bitget: { spot: together(50), swap: together(50) }
}

/** So few are asked for one by one rather than among all. */
const FEW = 5

/** The request for so many markets. */
export const restOf = ({ rest, tellsAll }: Channels, count: number): Channels["rest"] =>
  tellsAll && count <= FEW ? "ticker" : rest

/** What the stream of last prices is called, where it is not the library's own choice. */
export const lastOf = (exchange: ExchangeName): object => (exchange === "binance" ? { name: "ticker" } : {})

export const channelsOf = (exchange: ExchangeName, kind: MarketKind): Channels => CHANNELS[exchange][kind]
