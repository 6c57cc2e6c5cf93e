// The prices of one market, assembled from streams and requests. Frames that were held up on the way are dropped; all
// else is passed on, and the feed drops what is not sound.
import type { Figures } from "../../ccxt/Ccxt.ts"
import type { Channels } from "../../ccxt/Channels.ts"
import type { Wanted } from "./Wire.ts"

/** A number as exchanges write it, possibly as a text; NaN if there is none. */
export const numberOf = (value: unknown): number => {
  if (typeof value === "number") return value
  return typeof value === "string" && value !== "" ? Number(value) : Number.NaN
}

/** The present prices of one market. */
export class Quoting {
  bid = Number.NaN
  ask = Number.NaN
  last = Number.NaN
  /** The last streamed prices; NaN before the first. */
  #toldBid = Number.NaN
  #toldAsk = Number.NaN
  /** The smallest delay of a frame in this stream: mostly the difference of the clocks. */
  #leastLag = Number.POSITIVE_INFINITY
  /** The time of the last frame that had one, by the exchange's clock, and whether it was late. */
  #framedAt = Number.NaN
  #wasLate = false
  readonly wanted: Wanted
  readonly channels: Channels

  constructor(wanted: Wanted, channels: Channels) {
    this.wanted = wanted
    this.channels = channels
  }

  /** Takes a frame of a stream; returns whether it has the present bid and ask. */
  streamed(figures: Figures, now: number): boolean {
    if (this.#isLate(numberOf(figures.timestamp), now)) return false
    const last = numberOf(figures.last)
    const isWhole = !Number.isNaN(last)
    // ccxt reads some tickers twice: first the best prices alone, then everything.
    if (!isWhole && this.channels.book === "tickers") return false
    if (isWhole) this.last = last
    const bid = numberOf(figures.bid)
    const ask = numberOf(figures.ask)
    // Earlier bids and asks are not repeated: they would look fresh, and a wild price would confirm itself.
    if (Number.isNaN(bid) || Number.isNaN(ask) || (isWhole && this.channels.lastApart !== undefined))
      return false
    this.bid = bid
    this.ask = ask
    this.#toldBid = bid
    this.#toldAsk = ask
    return true
  }

  /**
   * Takes an answer to a request; returns whether it differs from the last streamed prices, undefined if it has none.
   */
  polled(figures: Figures): boolean | undefined {
    const bid = numberOf(figures.bid)
    const ask = numberOf(figures.ask)
    const last = numberOf(figures.last)
    if (Number.isNaN(bid) || Number.isNaN(ask)) return undefined
    this.bid = bid
    this.ask = ask
    if (!Number.isNaN(last)) this.last = last
    if (Number.isNaN(this.#toldBid)) {
      this.#toldBid = bid
      this.#toldAsk = ask
      return false
    }
    return bid !== this.#toldBid || ask !== this.#toldAsk
  }

  /** The streams were reopened: another route, perhaps another clock. */
  reopened(): void {
    this.#leastLag = Number.POSITIVE_INFINITY
    this.#framedAt = Number.NaN
    this.#toldBid = Number.NaN
    this.#toldAsk = Number.NaN
  }

  /** A frame that was held up on its way has an outdated price. */
  #isLate(at: number, now: number): boolean {
    if (!(at > 0)) return false
    // Some exchanges send the time of the last trade, which says nothing about frames without a trade.
    if (at === this.#framedAt) return this.#wasLate
    const lag = now - at
    this.#leastLag = Math.min(this.#leastLag, lag)
    this.#framedAt = at
    this.#wasLate = lag - this.#leastLag > LATE_MS
    return this.#wasLate
  }
}

const LATE_MS = 5000
