// One-minute candles of every streamed market, in memory, for charts alone: the last day of at most 200 markets, in
// ring buffers.
import type { Columns } from "../../../domain/candles/CandleFile.ts"
import type { MarketId } from "../../../domain/Market.ts"
import { keyOf } from "../../../trading/bot/Keys.ts"
import { NONE } from "../../../trading/candles/Bars.ts"
import type { Quote } from "../../Tickers.ts"

const MINUTE_MS = 60_000
/** The most minutes kept of a market, and the most markets: 15 MB where all are full. */
export const KEPT_MINUTES = 24 * 60
export const KEPT_MARKETS = 200
/** The first size of a market's buffer: most markets are watched only for a while. */
const FIRST_MINUTES = 32

/** One market's candles of the mid price, in ring buffers. A minute without a price is missing. */
class Reel {
  #minute = new Int32Array(FIRST_MINUTES)
  #open = new Float64Array(FIRST_MINUTES)
  #high = new Float64Array(FIRST_MINUTES)
  #low = new Float64Array(FIRST_MINUTES)
  #close = new Float64Array(FIRST_MINUTES)
  /** The number of minutes ever started: the last one is at index `#started - 1`, modulo the length. */
  #started = 0
  #last = -1

  /** The minute (since the epoch) of the last price. */
  get last(): number {
    return this.#last
  }

  add(minute: number, price: number): void {
    // After the clock was set back, prices of past minutes are dropped.
    if (minute < this.#last) return
    if (minute > this.#last) return this.#begin(minute, price)
    const place = (this.#started - 1) % this.#minute.length
    if (price > (this.#high[place] ?? 0)) this.#high[place] = price
    if (price < (this.#low[place] ?? 0)) this.#low[place] = price
    this.#close[place] = price
  }

  #begin(minute: number, price: number): void {
    if (this.#started === this.#minute.length && this.#started < KEPT_MINUTES) this.#grow()
    const place = this.#started % this.#minute.length
    this.#minute[place] = minute
    this.#open[place] = price
    this.#high[place] = price
    this.#low[place] = price
    this.#close[place] = price
    this.#started++
    this.#last = minute
  }

  #grow(): void {
    const length = Math.min(2 * this.#started, KEPT_MINUTES)
    const minute = new Int32Array(length)
    minute.set(this.#minute)
    this.#minute = minute
    this.#open = grown(this.#open, length)
    this.#high = grown(this.#high, length)
    this.#low = grown(this.#low, length)
    this.#close = grown(this.#close, length)
  }

  /** The candles that start in a range (ms, `until` exclusive), oldest first. */
  between(from: number, until: number): Columns {
    const size = this.#minute.length
    const places: Array<number> = []
    for (let number = Math.max(0, this.#started - size); number < this.#started; number++) {
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

/** The candles of all streamed markets, from the server's start on. */
export class MinuteCandles {
  readonly #reels = new Map<string, Reel>()
  /** The minute of the last search for a market to drop: at most one search a minute. */
  #soughtAt = -1

  /** Takes in an accepted price. Called at every price, so it costs next to nothing. */
  add({ market, ticker }: Quote): void {
    const key = keyOf(market)
    const minute = Math.floor(ticker.at / MINUTE_MS)
    const reel = this.#reels.get(key) ?? this.#fresh(key, minute)
    reel?.add(minute, (ticker.bid + ticker.ask) / 2)
  }

  /** A market's candles in a range (ms, `until` exclusive). */
  between(market: MarketId, from: number, until: number): Columns {
    return this.#reels.get(keyOf(market))?.between(from, until) ?? NONE
  }

  /** A buffer for a new market. At the bound, a market without a price for a whole day is dropped for it. */
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
