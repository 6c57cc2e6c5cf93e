import type { Figures } from "../../ccxt/Ccxt.ts"
import type { Channels } from "./channels.ts"
import type { Wanted } from "./Wire.ts"

/** A number as exchanges write it, as text or not; NaN where there is none. */
export const numberOf = (value: unknown): number => {
  if (typeof value === "number") return value
  return typeof value === "string" && value !== "" ? Number(value) : Number.NaN
}

/**
 * The prices of one market, put together from what streams and requests tell of them. Nonsense is not judged here: what
 * the exchange says is handed on, and the feed drops what is not sound.
 */
export class Quoting {
  bid = Number.NaN
  ask = Number.NaN
  last = Number.NaN
  /** What the streams told last; NaN before. */
  #toldBid = Number.NaN
  #toldAsk = Number.NaN
  /** The least that frames of this stream were on their way: the difference of the clocks, mostly. */
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

  /** A frame of a stream; whether it tells bid and ask of now. */
  streamed(figures: Figures, now: number): boolean {
    if (this.#isLate(numberOf(figures.timestamp), now)) return false
    const last = numberOf(figures.last)
    const isWhole = !Number.isNaN(last)
    // The library reads some tickers twice: first the best prices alone, then all.
    if (!isWhole && this.channels.book === "tickers") return false
    if (isWhole) this.last = last
    const bid = numberOf(figures.bid)
    const ask = numberOf(figures.ask)
    // The bid and ask from before are not told once more: they would look fresh, and a wild one confirm itself.
    if (Number.isNaN(bid) || Number.isNaN(ask) || (isWhole && this.channels.lastApart)) return false
    this.bid = bid
    this.ask = ask
    this.#toldBid = bid
    this.#toldAsk = ask
    return true
  }

  /** An answer to a request: whether it differs from what the streams told last; absent where it tells no prices. */
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

  /** New streams: another way, and maybe another clock. */
  reopened(): void {
    this.#leastLag = Number.POSITIVE_INFINITY
    this.#framedAt = Number.NaN
    this.#toldBid = Number.NaN
    this.#toldAsk = Number.NaN
  }

  /** A frame that was held up on its way tells of a price that is no more. */
  #isLate(at: number, now: number): boolean {
    if (!(at > 0)) return false
    // Some say when the last trade was: while nothing is traded, that tells nothing of their frames.
    if (at === this.#framedAt) return this.#wasLate
    const lag = now - at
    this.#leastLag = Math.min(this.#leastLag, lag)
    this.#framedAt = at
    this.#wasLate = lag - this.#leastLag > LATE_MS
    return this.#wasLate
  }
}

const LATE_MS = 5000
