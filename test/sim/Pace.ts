// When events happen. In an even world each kind has its own place within a second, so that two worlds can be
// compared.
import type { Loom } from "./Loom.ts"

/** The place of each kind of event within a second (ms). */
export const PLACES = { price: 0, storm: 260, start: 550, fill: 600, answer: 800, wallet: 900 }

/** The first person's place, and the distance between persons and markets. */
const PERSON = 50
const APART = 5

/**
 * When things happen. In an uneven world: whenever chance says.
 *
 * In an even world no two events that may matter to each other happen at one moment, and each sort has its place in the
 * second: prices, then persons, then a storm of alerts, then fills, then answers, then wallets. The server decides by
 * the time up to 100 ms after a deadline; deadlines hang on fills and answers, and so does no price or alert come
 * between. Whoever else is there may so shift a decision by some ms, but no price lies within the shift.
 */
export class Pace {
  readonly isEven: boolean
  readonly #loom: Loom
  #persons = 0

  constructor(loom: Loom, isEven: boolean) {
    this.#loom = loom
    this.isEven = isEven
  }

  /** The next person's place. */
  person(): number {
    return PERSON + APART * this.#persons++
  }

  /** The delay (ms) until the place after at least this time. */
  wait(ms: number, place: number): number {
    if (!this.isEven) return ms
    const { now } = this.#loom
    const at = now - (now % 1000) + 1000 * Math.floor(ms / 1000) + place
    return at > now ? at - now : at + 1000 - now
  }
}
