// Random walks of market prices, and what the server hears of them: with gaps, silence, and wild ticks.
import { type MarketId, marketKey } from "../../src/domain/Market.ts"
import { isSound, type Ticker } from "../../src/domain/Ticker.ts"
import type { Quote } from "../../src/services/Tickers.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import type { Chance } from "./Chance.ts"
import type { Loom } from "./Loom.ts"

/** A price that the server heard and may have traded on, unless it is wild. */
interface Told {
  readonly ticker: Ticker
  readonly toldAt: number
  readonly isFit: boolean
}

const SPREAD = 0.0002
/** The distance of markets within a second of an even world. */
const APART_MS = 5
/** How long a price may be traded on, as documented. */
const FRESH_MS = 10_000
/** How close prices must be to confirm each other, as documented. */
const BAND = 0.05

export class Prices {
  readonly #loom: Loom
  readonly #chance: Chance
  readonly #last = new Map<string, number>()
  readonly #told = new Map<string, Array<Told>>()
  readonly #silentUntil = new Map<string, number>()
  /** The factor of a market's next move; 1 after it has jumped. */
  readonly #leaps = new Map<string, number>()
  readonly #wild = new WeakSet<Ticker>()
  /** Prices that the server heard since its last start. */
  readonly #remembered = new Map<string, Array<Ticker>>()

  constructor(loom: Loom, chance: Chance, markets: ReadonlyArray<MarketId>) {
    this.#loom = loom
    this.#chance = chance
    for (const market of markets)
      this.#last.set(marketKey(market), market.pair.startsWith("BTC") ? 60_000 : 3_000)
  }

  /** How far (ms) a market's fills and reports follow the first market's, in an even world. */
  place(market: MarketId): number {
    return APART_MS * [...this.#last.keys()].indexOf(marketKey(market))
  }

  /** The price at which an order would trade now. */
  at(market: MarketId): number {
    return this.#last.get(marketKey(market)) ?? 1
  }

  /** Moves a market; returns what the server hears. */
  tick(market: MarketId, calm: boolean): ReadonlyArray<Quote> {
    const { now } = this.#loom
    const key = marketKey(market)
    const dice = this.#chance.of(`price of ${key}`)
    const swing = !calm && dice.chance(0.06) ? 0.12 : 0.024
    const leap = this.#leapOf(key)
    const price = cents(this.at(market) * (1 + (dice.next() - 0.5) * swing) * leap)
    this.#last.set(key, price)
    const ticker = quoted(price, now)
    // The first price of all cannot be wild.
    if (leap > 1 && this.#remembered.has(key)) this.#wild.add(ticker)
    if (calm) return [{ market, ticker }]
    if (dice.chance(0.02)) this.#silentUntil.set(key, now + dice.whole(5_000, 40_000))
    if (now < (this.#silentUntil.get(key) ?? 0)) return []
    const odds = dice.next()
    if (odds < 0.06) return [{ market, ticker: bad(ticker, dice.whole(0, 5)) }]
    if (odds < 0.1) return [{ market, ticker: quoted(cents(price * 1.3), now - dice.whole(11_000, 60_000)) }]
    if (odds < 0.14)
      return [
        { market, ticker },
        { market, ticker }
      ]
    if (odds < 0.22 && this.#remembered.has(key)) return [{ market, ticker: this.#spiked(ticker, dice) }]
    return [{ market, ticker }]
  }

  /** More than doubles a market's price at its next move. None does so twice. */
  squeeze(market: MarketId): void {
    const key = marketKey(market)
    if (!this.#leaps.has(key)) this.#leaps.set(key, this.#chance.of(`leap of ${key}`).between(2.05, 2.4))
  }

  #leapOf(key: string): number {
    const leap = this.#leaps.get(key) ?? 1
    if (leap > 1) this.#leaps.set(key, 1)
    return leap
  }

  /** Publishes quotes to the server. */
  tell(quotes: ReadonlyArray<Quote>): void {
    for (const { market, ticker } of quotes) {
      if (!isSound(ticker)) continue
      const remembered = listed(this.#remembered, marketKey(market))
      const isFit = !this.#wild.has(ticker) || remembered.some((other) => areNear(other, ticker))
      remembered.push(ticker)
      listed(this.#told, marketKey(market)).push({ ticker, toldAt: this.#loom.now, isFit })
    }
  }

  /** The last credible price that the server heard within the time limit. */
  fresh(market: MarketId): Ticker | undefined {
    const told = this.#told.get(marketKey(market))?.at(-1)
    return told?.isFit === true && this.#loom.now - told.ticker.at <= FRESH_MS ? told.ticker : undefined
  }

  /** Whether the server has no price to trade on, so that an entry must wait. */
  isStale(market: MarketId): boolean {
    const told = this.#remembered.get(marketKey(market)) ?? []
    return told.every(({ at }) => this.#loom.now - at > FRESH_MS)
  }

  /** The server died; the next one knows no prices. */
  forgotten(): void {
    this.#remembered.clear()
  }

  /** Whether the server heard this price within the time limit. */
  wasTold(market: MarketId, price: number, at: number): boolean {
    return this.#toldAs(market, price).some(
      ({ isFit, ticker, toldAt }) => isFit && toldAt <= at && at - ticker.at <= FRESH_MS
    )
  }

  /** Whether this price can only come from a wild tick, which must not be traded on. */
  isWild(market: MarketId, price: number): boolean {
    const told = this.#toldAs(market, price)
    return told.length > 0 && told.every(({ isFit }) => !isFit)
  }

  #toldAs(market: MarketId, price: number): ReadonlyArray<Told> {
    const told = this.#told.get(marketKey(market)) ?? []
    return told.filter(({ ticker: { ask, bid, last } }) => [ask, bid, last].includes(price))
  }

  /** A price that the market never had: 10 to 60 % off, on both sides or on one. */
  #spiked({ ask, at, bid, last }: Ticker, dice: SeededRandom): Ticker {
    const by = dice.between(0.1, 0.6)
    const [down, up] = dice.pick([
      [1 - by, 1 - by],
      [1 + by, 1 + by],
      [1 - by, 1],
      [1, 1 + by]
    ] as const)
    const spiked = { bid: cents(bid * down), ask: cents(ask * up), last: cents(last * (down + up - 1)), at }
    this.#wild.add(spiked)
    return spiked
  }
}

const listed = <A>(lists: Map<string, Array<A>>, key: string): Array<A> => {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

const areNear = (one: Ticker, other: Ticker): boolean =>
  Math.abs(other.bid - one.bid) <= one.bid * BAND && Math.abs(other.ask - one.ask) <= one.ask * BAND

const cents = (price: number): number => Math.max(1, Math.round(price * 100)) / 100
const quoted = (price: number, at: number): Ticker => ({
  bid: cents(price * (1 - SPREAD)),
  ask: cents(price * (1 + SPREAD)),
  last: price,
  at
})

/** Ticks that no exchange means, and that must not decide anything. */
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
