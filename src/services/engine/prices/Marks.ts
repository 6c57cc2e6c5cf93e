import { FRESH_MS } from "../../../domain/internal/Freshness.ts"
import { type ExchangeName, type MarketId, marketKey, type Pair } from "../../../domain/Market.ts"
import * as Ticker from "../../../domain/Ticker.ts"

/** What prices of a pair's spot market and of its perpetual have in common when they come from one file of candles. */
export const pairKey = (id: { readonly exchange: ExchangeName; readonly pair: Pair }): string =>
  `${id.exchange}:${id.pair}`

/**
 * The last price of each market. A quote is fit to trade on for ten seconds. A bar's is not: between two bars
 * nobody knows the price, so that decisions wait for the next.
 */
export class Marks {
  readonly #quotes = new Map<string, Ticker.Ticker>()
  readonly #closes = new Map<string, Ticker.Ticker>()

  /** Takes a quote in; whether it is news: fit to trade on, and not older than the one before. */
  quoted(id: MarketId, ticker: Ticker.Ticker, now: number): boolean {
    const key = marketKey(id)
    const before = this.#quotes.get(key)
    // A time yet to come says nothing of what is older: one wrong clock must not silence a market.
    if (before !== undefined && before.at > ticker.at && before.at <= now) return false
    this.#quotes.set(key, ticker)
    return isFresh(ticker, now)
  }

  closed(id: { readonly exchange: ExchangeName; readonly pair: Pair }, price: number, at: number): void {
    this.#closes.set(pairKey(id), Ticker.ofLast(price, at))
  }

  /** A price that orders may be decided at now; absent where there is none, or none fresh enough. */
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
}

/** After the clock was set back, a price from a time yet to come may be of any age. */
const isFresh = (ticker: Ticker.Ticker, now: number): boolean => Math.abs(now - ticker.at) <= FRESH_MS
