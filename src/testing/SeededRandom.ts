// The source of all randomness in tests: the same seed gives the same draws.

/** Seeded random numbers. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = (Math.imul(seed, 0x9e37_79b1) ^ 0x85eb_ca6b) >>> 0
    for (let draw = 0; draw < 4; draw++) this.next()
  }

  /** In [0, 1). Mulberry32, by Tommy Ettinger. */
  next(): number {
    this.#state = (this.#state + 0x6d2b_79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  /** From `low` up to `high`, fractions too. */
  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  /** A whole number at least 0 and below the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  pick<const A>(all: ReadonlyArray<A>): A {
    const place = this.below(all.length)
    for (const drawn of all.slice(place, place + 1)) return drawn
    throw new Error("there is nothing to pick from")
  }
}
