import { type MarketId, marketKey } from "../../src/domain/Market.ts"
import type { Ticker } from "../../src/domain/Ticker.ts"
import { PriceEvent } from "../../src/services/Tickers.ts"
import type { Loom } from "./Loom.ts"

/** A price that the server was told, and may so have decided at. */
interface Told {
  readonly ticker: Ticker
  readonly toldAt: number
}

const SPREAD = 0.0002
/** For how long a price is fit to trade on, as users are told. */
const FRESH_MS = 10_000

/** Walks of the markets' prices, and what of them the server is told: gaps, silence, and ticks that nobody should believe. */
export class Prices {
  readonly #loom: Loom
  readonly #last = new Map<string, number>()
  readonly #told = new Map<string, Array<Told>>()
  readonly #silentUntil = new Map<string, number>()

  constructor(loom: Loom, markets: ReadonlyArray<MarketId>) {
    this.#loom = loom
    for (const market of markets)
      this.#last.set(marketKey(market), market.pair.startsWith("BTC") ? 60_000 : 3_000)
  }

  /** What an order would trade at now. */
  at(market: MarketId): number {
    return this.#last.get(marketKey(market)) ?? 1
  }

  /** The market moves; what the server is told of it. */
  tick(market: MarketId, calm: boolean): ReadonlyArray<PriceEvent> {
    const { dice, now } = this.#loom
    const key = marketKey(market)
    const swing = dice.chance(0.06) ? 0.12 : 0.024
    const price = cents(this.at(market) * (1 + (dice.next() - 0.5) * swing))
    this.#last.set(key, price)
    if (calm) return [this.#tell(market, quoted(price, now))]
    if (dice.chance(0.02)) this.#silentUntil.set(key, now + dice.whole(5_000, 40_000))
    if (now < (this.#silentUntil.get(key) ?? 0)) return []
    const ticker = quoted(price, now)
    const odds = dice.next()
    if (odds < 0.06) return [event(market, bad(ticker, dice.whole(0, 5)))]
    if (odds < 0.1)
      return [this.#tell(market, { ...quoted(cents(price * 1.3), now - dice.whole(11_000, 60_000)) })]
    if (odds < 0.14) return [this.#tell(market, ticker), this.#tell(market, ticker)]
    return [this.#tell(market, ticker)]
  }

  /** Whether the server was told such a price within the time that it may trade on it. */
  wasTold(market: MarketId, price: number, at: number): boolean {
    const told = this.#told.get(marketKey(market)) ?? []
    return told.some(
      ({ ticker, toldAt }) =>
        toldAt <= at &&
        at - ticker.at <= FRESH_MS &&
        (ticker.bid === price || ticker.ask === price || ticker.last === price)
    )
  }

  #tell(market: MarketId, ticker: Ticker): PriceEvent {
    const key = marketKey(market)
    const told = this.#told.get(key) ?? []
    told.push({ ticker, toldAt: this.#loom.now })
    this.#told.set(key, told)
    return event(market, ticker)
  }
}

const event = (market: MarketId, ticker: Ticker) => PriceEvent.Quoted({ market, ticker })
const cents = (price: number): number => Math.max(1, Math.round(price * 100)) / 100
const quoted = (price: number, at: number): Ticker => ({
  bid: cents(price * (1 - SPREAD)),
  ask: cents(price * (1 + SPREAD)),
  last: price,
  at
})

/** Ticks that no exchange means: they must decide nothing. */
const bad = (ticker: Ticker, kind: number): Ticker => {
  switch (kind) {
    case 0:
      return { ...ticker, bid: 0, ask: 0, last: 0 }
    case 1:
      return { ...ticker, last: Number.NaN, bid: Number.NaN, ask: Number.NaN }
    case 2:
      return { ...ticker, bid: -ticker.bid, ask: -ticker.ask, last: -ticker.last }
    case 3:
      return { ...ticker, bid: ticker.ask * 1.5, ask: ticker.bid * 0.5 }
    case 4:
      return { ...ticker, ask: Number.POSITIVE_INFINITY }
    default:
      return { ...ticker, last: 0, bid: 0 }
  }
}
