import { type MarketId, marketKey } from "../../src/domain/Market.ts"
import { isSound, type Ticker } from "../../src/domain/Ticker.ts"
import type { Quote } from "../../src/services/Tickers.ts"
import type { Dice } from "../../src/testing/Dice.ts"
import type { Chance } from "./Chance.ts"
import type { Loom } from "./Loom.ts"

/** A price that the server was told, and may so have decided at: unless it is wild, and nothing before it was like it. */
interface Told {
  readonly ticker: Ticker
  readonly toldAt: number
  readonly isFit: boolean
}

const SPREAD = 0.0002
/** How far apart markets are in a second of an even world. */
const APART_MS = 5
/** For how long a price is fit to trade on, as users are told. */
const FRESH_MS = 10_000
/** How far apart prices may lie that confirm each other, as users are told. */
const BAND = 0.05

/** Walks of the markets' prices, and what of them the server is told: gaps, silence, and ticks that nobody should believe. */
export class Prices {
  readonly #loom: Loom
  readonly #chance: Chance
  readonly #last = new Map<string, number>()
  readonly #told = new Map<string, Array<Told>>()
  readonly #silentUntil = new Map<string, number>()
  /** By market, by how much its next move is multiplied: 1 where it has leapt. */
  readonly #leaps = new Map<string, number>()
  readonly #wild = new WeakSet<Ticker>()
  /** Prices that the server was told in its present life: it remembers none of those before. */
  readonly #remembered = new Map<string, Array<Ticker>>()

  constructor(loom: Loom, chance: Chance, markets: ReadonlyArray<MarketId>) {
    this.#loom = loom
    this.#chance = chance
    for (const market of markets)
      this.#last.set(marketKey(market), market.pair.startsWith("BTC") ? 60_000 : 3_000)
  }

  /** How far (ms) a market's fills and answers are behind those of the first, in an even world. */
  place(market: MarketId): number {
    return APART_MS * [...this.#last.keys()].indexOf(marketKey(market))
  }

  /** What an order would trade at now. */
  at(market: MarketId): number {
    return this.#last.get(marketKey(market)) ?? 1
  }

  /** The market moves; what the server is to be told of it. */
  tick(market: MarketId, calm: boolean): ReadonlyArray<Quote> {
    const { now } = this.#loom
    const key = marketKey(market)
    const dice = this.#chance.of(`price of ${key}`)
    const swing = !calm && dice.chance(0.06) ? 0.12 : 0.024
    const leap = this.#leapOf(key)
    const price = cents(this.at(market) * (1 + (dice.next() - 0.5) * swing) * leap)
    this.#last.set(key, price)
    const ticker = quoted(price, now)
    // The first price of all has nothing to be wild against.
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

  /** The market more than doubles at its next move. None does twice. */
  squeeze(market: MarketId): void {
    const key = marketKey(market)
    if (!this.#leaps.has(key)) this.#leaps.set(key, this.#chance.of(`leap of ${key}`).between(2.05, 2.4))
  }

  #leapOf(key: string): number {
    const leap = this.#leaps.get(key) ?? 1
    if (leap > 1) this.#leaps.set(key, 1)
    return leap
  }

  /** The server is told so. */
  tell(quotes: ReadonlyArray<Quote>): void {
    for (const { market, ticker } of quotes) {
      if (!isSound(ticker)) continue
      const remembered = listed(this.#remembered, marketKey(market))
      const isFit = !this.#wild.has(ticker) || remembered.some((other) => areNear(other, ticker))
      remembered.push(ticker)
      listed(this.#told, marketKey(market)).push({ ticker, toldAt: this.#loom.now, isFit })
    }
  }

  /** What the server was told of a market last, within the time that it may trade on it, and could believe. */
  fresh(market: MarketId): Ticker | undefined {
    const told = this.#told.get(marketKey(market))?.at(-1)
    return told?.isFit === true && this.#loom.now - told.ticker.at <= FRESH_MS ? told.ticker : undefined
  }

  /** Whether the server has no price of a market that it may trade on, so that whoever wants to enter has to wait. */
  isStale(market: MarketId): boolean {
    const told = this.#remembered.get(marketKey(market)) ?? []
    return told.every(({ at }) => this.#loom.now - at > FRESH_MS)
  }

  /** The server has died, and another knows nothing of what it was told. */
  forgotten(): void {
    this.#remembered.clear()
  }

  /** Whether the server was told such a price within the time that it may trade on it. */
  wasTold(market: MarketId, price: number, at: number): boolean {
    return this.#toldAs(market, price).some(
      ({ isFit, ticker, toldAt }) => isFit && toldAt <= at && at - ticker.at <= FRESH_MS
    )
  }

  /** Whether such a price can only come from a tick that was wild, and by which nobody should have gone. */
  isWild(market: MarketId, price: number): boolean {
    const told = this.#toldAs(market, price)
    return told.length > 0 && told.every(({ isFit }) => !isFit)
  }

  #toldAs(market: MarketId, price: number): ReadonlyArray<Told> {
    const told = this.#told.get(marketKey(market)) ?? []
    return told.filter(({ ticker: { ask, bid, last } }) => [ask, bid, last].includes(price))
  }

  /** A price that the market never was at: ten to sixty percent off, on both sides or on one. */
  #spiked({ ask, at, bid, last }: Ticker, dice: Dice): Ticker {
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
