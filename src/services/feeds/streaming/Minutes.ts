import type { Columns } from "../../../domain/candles/CandleFile.ts"
import type { MarketId } from "../../../domain/Market.ts"
import { keyOf } from "../../../trading/bot/Keys.ts"
import { NONE } from "../../../trading/candles/Bars.ts"
import type { Quote } from "../../Tickers.ts"

const MINUTE_MS = 60_000
/** Minutes that are kept of a market, and markets that are kept: 15 MB where all are full. */
export const KEPT_MINUTES = 24 * 60
export const KEPT_MARKETS = 200
/** What a market begins with: most are watched for a while only. */
const FIRST_MINUTES = 32

/**
 * The last minutes of one market as candles of the middle between bid and ask, in arrays that are used round and round.
 * Looked at by charts alone: a minute in which nothing came is missing.
 */
class Reel {
  #minute = new Int32Array(FIRST_MINUTES)
  #open = new Float64Array(FIRST_MINUTES)
  #high = new Float64Array(FIRST_MINUTES)
  #low = new Float64Array(FIRST_MINUTES)
  #close = new Float64Array(FIRST_MINUTES)
  /** Minutes ever begun: the last one is at `#begun - 1`, modulo the length. */
  #begun = 0
  #last = -1

  /** The minute since the epoch that a price came in last. */
  get last(): number {
    return this.#last
  }

  add(minute: number, price: number): void {
    // A clock that was set back tells nothing new of minutes that are over.
    if (minute < this.#last) return
    if (minute > this.#last) return this.#begin(minute, price)
    const place = (this.#begun - 1) % this.#minute.length
    if (price > (this.#high[place] ?? 0)) this.#high[place] = price
    if (price < (this.#low[place] ?? 0)) this.#low[place] = price
    this.#close[place] = price
  }

  #begin(minute: number, price: number): void {
    if (this.#begun === this.#minute.length && this.#begun < KEPT_MINUTES) this.#grow()
    const place = this.#begun % this.#minute.length
    this.#minute[place] = minute
    this.#open[place] = price
    this.#high[place] = price
    this.#low[place] = price
    this.#close[place] = price
    this.#begun++
    this.#last = minute
  }

  #grow(): void {
    const length = Math.min(2 * this.#begun, KEPT_MINUTES)
    const minute = new Int32Array(length)
    minute.set(this.#minute)
    this.#minute = minute
    this.#open = grown(this.#open, length)
    this.#high = grown(this.#high, length)
    this.#low = grown(this.#low, length)
    this.#close = grown(this.#close, length)
  }

  /** The minutes that begin from one time to another (ms, the second not included), oldest first. */
  between(from: number, until: number): Columns {
    const size = this.#minute.length
    const places: Array<number> = []
    for (let number = Math.max(0, this.#begun - size); number < this.#begun; number++) {
      const at = (this.#minute[number % size] ?? 0) * MINUTE_MS
      if (at >= from && at < until) places.push(number % size)
    }
    const column = (values: Float64Array) => Float64Array.from(places, (place) => values[place] ?? 0)
    return {
      at: Float64Array.from(places, (place) => (this.#minute[place] ?? 0) * MINUTE_MS),
      open: column(this.#open),
      high: column(this.#high),
      low: column(this.#low),
      close: column(this.#close),
      length: places.length
    }
  }
}

const grown = (values: Float64Array, length: number): Float64Array<ArrayBuffer> => {
  const larger = new Float64Array(length)
  larger.set(values)
  return larger
}

/** One-minute candles of the markets that prices come in of, for as long as the server has run, and at most a day. */
export class Minutes {
  readonly #reels = new Map<string, Reel>()
  /** When it was last looked for a market that may give way: at most once a minute, since prices come all the time. */
  #soughtAt = -1

  /** Takes in a price that may be decided on. Costs next to nothing: it is called at every one. */
  add({ market, ticker }: Quote): void {
    const key = keyOf(market)
    const minute = Math.floor(ticker.at / MINUTE_MS)
    const reel = this.#reels.get(key) ?? this.#fresh(key, minute)
    reel?.add(minute, (ticker.bid + ticker.ask) / 2)
  }

  /** What was seen of a market from one time to another (ms, the second not included). */
  between(market: MarketId, from: number, until: number): Columns {
    return this.#reels.get(keyOf(market))?.between(from, until) ?? NONE
  }

  /** Where there are too many markets, one gives way that nothing came of for as long as minutes are kept. */
  #fresh(key: string, minute: number): Reel | undefined {
    if (this.#reels.size >= KEPT_MARKETS) {
      if (this.#soughtAt === minute) return undefined
      this.#soughtAt = minute
      const old = [...this.#reels].find(([, reel]) => reel.last + KEPT_MINUTES < minute)
      if (old === undefined) return undefined
      this.#reels.delete(old[0])
    }
    const reel = new Reel()
    this.#reels.set(key, reel)
    return reel
  }
}
