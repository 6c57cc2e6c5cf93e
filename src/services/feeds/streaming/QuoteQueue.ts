// The queue of quotes between adapters and the engine. It is bounded: when a full disk holds the engine up, only the
// newest quote of each market is kept.
import { keyOf } from "../../../trading/bot/Keys.ts"
import { PriceEvent, type Quote } from "../../Tickers.ts"

/** Queued quotes at which the queue keeps only the newest of each market. */
export const MAX_PENDING_QUOTES = 16_384

/**
 * The queue, in arrival sequence. Beyond the bound, highs and lows that came and went are lost: nobody can trade at
 * them any more, and acting on them late would trade at another price than the rule saw.
 */
export class QuoteQueue {
  readonly #bound: number
  #queue: Array<PriceEvent> = []
  /** The newest quote by market, by arrival: used only beyond the bound. */
  readonly #newest = new Map<string, PriceEvent>()

  constructor(bound = MAX_PENDING_QUOTES) {
    this.#bound = bound
  }

  /** At most the bound, or the number of markets. */
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

  /** Empties the queue and returns its quotes, oldest first. */
  take(): ReadonlyArray<PriceEvent> {
    const taken = this.#newest.size > 0 ? [...this.#newest.values()] : this.#queue
    this.#queue = []
    this.#newest.clear()
    return taken
  }

  #renew(event: PriceEvent): void {
    if (event._tag !== "Quoted") return
    const key = keyOf(event.market)
    // Deleting first moves the market to the end.
    this.#newest.delete(key)
    this.#newest.set(key, event)
  }
}
