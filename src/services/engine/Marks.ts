import { type ExchangeName, type MarketId, marketKey, type Pair } from "../../domain/Market.ts"
import * as Ticker from "../../domain/Ticker.ts"

/** For how long a quoted price is fit to trade on. */
export const FRESH_MS = 10_000

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

  quoted(id: MarketId, ticker: Ticker.Ticker): void {
    this.#quotes.set(marketKey(id), ticker)
  }

  closed(id: { readonly exchange: ExchangeName; readonly pair: Pair }, price: number, at: number): void {
    this.#closes.set(pairKey(id), Ticker.ofLast(price, at))
  }

  /** A price that orders may be decided at now; absent where there is none, or none fresh enough. */
  fresh(id: MarketId, now: number): Ticker.Ticker | undefined {
    const quote = this.#quotes.get(marketKey(id))
    return quote !== undefined && now - quote.at <= FRESH_MS ? quote : undefined
  }

  /** The last price seen, however old. */
  last(id: MarketId): Ticker.Ticker | undefined {
    return this.#quotes.get(marketKey(id)) ?? this.#closes.get(pairKey(id))
  }

  /** Whether the market's prices come as bars, which price the spot market and the perpetual of a pair alike. */
  isBarred(id: MarketId): boolean {
    return this.#closes.has(pairKey(id)) && !this.#quotes.has(marketKey(id))
  }
}
