// The last price of each market. A quote may be traded on for ten seconds; the close of a candle may not, so decisions
// wait for the next candle.
import { FRESH_MS } from "../../../domain/internal/PriceFreshness.ts"
import { type ExchangeName, type MarketId, marketKey, type Pair } from "../../../domain/Market.ts"
import * as Ticker from "../../../domain/Ticker.ts"

/** The key that a pair's spot market and its perpetual share: candles of one file price both. */
export const pairKey = (id: { readonly exchange: ExchangeName; readonly pair: Pair }): string =>
  `${id.exchange}:${id.pair}`

/** The registry of prices. */
export class LastPrices {
  readonly #quotes = new Map<string, Ticker.Ticker>()
  readonly #closes = new Map<string, Ticker.Ticker>()

  /** Stores a quote; true where it may be traded on, that is, where it is fresh and not older than the one before. */
  quoted(id: MarketId, ticker: Ticker.Ticker, now: number): boolean {
    const key = marketKey(id)
    const before = this.#quotes.get(key)
    // A quote dated in the future does not make later ones old: one wrong clock must not silence a market.
    if (before !== undefined && before.at > ticker.at && before.at <= now) return false
    this.#quotes.set(key, ticker)
    return isFresh(ticker, now)
  }

  closed(id: { readonly exchange: ExchangeName; readonly pair: Pair }, price: number, at: number): void {
    this.#closes.set(pairKey(id), Ticker.ofLast(price, at))
  }

  /** A price to decide on now; absent where there is none or it is too old. */
  fresh(id: MarketId, now: number): Ticker.Ticker | undefined {
    const quote = this.#quotes.get(marketKey(id))
    return quote !== undefined && isFresh(quote, now) ? quote : undefined
  }

  /** The last price seen, however old. */
  last(id: MarketId): Ticker.Ticker | undefined {
    const quote = this.#quotes.get(marketKey(id))
    const close = this.#closes.get(pairKey(id))
    if (quote === undefined || close === undefined) return quote ?? close
    return quote.at >= close.at ? quote : close
  }

  /** The close of the last candle, where no quote came after it: what a person's order trades at in a replay. */
  close(id: MarketId): Ticker.Ticker | undefined {
    const close = this.#closes.get(pairKey(id))
    return this.last(id) === close ? close : undefined
  }
}

/** After the clock was set back, a quote dated in the future may be of any age. */
const isFresh = (ticker: Ticker.Ticker, now: number): boolean => Math.abs(now - ticker.at) <= FRESH_MS
