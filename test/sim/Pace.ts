import type { Loom } from "./Loom.ts"

/** Where in a second of an even world each sort of event happens (ms). */
export const PLACES = { price: 0, storm: 260, start: 550, fill: 600, answer: 800, wallet: 900 }

/** The first person's place, and how far apart persons and markets are. */
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

  /** The place of one more person. */
  person(): number {
    return PERSON + APART * this.#persons++
  }

  /** How long to wait (ms) for something of this place that takes so long. */
  wait(ms: number, place: number): number {
    if (!this.isEven) return ms
    const { now } = this.#loom
    const at = now - (now % 1000) + 1000 * Math.floor(ms / 1000) + place
    return at > now ? at - now : at + 1000 - now
  }
}
