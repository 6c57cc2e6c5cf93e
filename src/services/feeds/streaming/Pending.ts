import { keyOf } from "../../../trading/bot/Keys.ts"
import { PriceEvent, type Quote } from "../../Tickers.ts"

/** Quotes that may wait for the engine before only the newest of each market is kept. */
export const MAX_PENDING_QUOTES = 16_384

/**
 * Quotes that wait for the engine, in the order in which they came. Where there are too many of them the engine has
 * been held up, by a disk that is full: then only the newest of each market is kept. What is lost are the highs and
 * lows that came and went meanwhile. Nobody can trade at them any more, and to act on them late would be to buy or sell
 * at another price than the one that the rule was met at.
 */
export class Pending {
  readonly #bound: number
  #queue: Array<PriceEvent> = []
  /** By market, in the order in which the newest came: only while there are too many. */
  readonly #newest = new Map<string, PriceEvent>()

  constructor(bound = MAX_PENDING_QUOTES) {
    this.#bound = bound
  }

  /** Never more than the bound, or than there are markets. */
  get size(): number {
    return this.#queue.length + this.#newest.size
  }

  add({ market, ticker }: Quote): void {
    const event = PriceEvent.Quoted({ market, ticker })
    if (this.#newest.size > 0) return this.#renew(event)
    this.#queue.push(event)
    if (this.#queue.length < this.#bound) return
    for (const waiting of this.#queue) this.#renew(waiting)
    this.#queue = []
  }

  /** All of them, oldest first, and none is left. */
  take(): ReadonlyArray<PriceEvent> {
    const taken = this.#newest.size > 0 ? [...this.#newest.values()] : this.#queue
    this.#queue = []
    this.#newest.clear()
    return taken
  }

  #renew(event: PriceEvent): void {
    if (event._tag !== "Quoted") return
    const key = keyOf(event.market)
    // Taken out first: it goes to the end.
    this.#newest.delete(key)
    this.#newest.set(key, event)
  }
}
