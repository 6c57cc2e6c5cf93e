/** Time that never goes back, whatever is done to the clock: what waits for a moment must not wait an hour longer. */
export class Steady {
  readonly #clock: () => number
  #last: number
  #passed: number

  /** The clock tells ms since the epoch. */
  constructor(clock: () => number) {
    this.#clock = clock
    this.#last = clock()
    this.#passed = this.#last
  }

  /** Now (ms). */
  now(): number {
    const now = this.#clock()
    this.#passed += Math.max(0, now - this.#last)
    this.#last = now
    return this.#passed
  }

  /** What the clock shows for a moment of ours. */
  shown(at: number): number {
    return at - this.now() + this.#last
  }
}
