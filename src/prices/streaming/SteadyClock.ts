// A clock that never goes back, whatever is done to the system clock, so that no wait becomes an hour longer.

/** Steady time in ms. */
export class SteadyClock {
  readonly #clock: () => number
  #last: number
  #passed: number

  /** `clock` returns ms since the epoch. */
  constructor(clock: () => number) {
    this.#clock = clock
    this.#last = clock()
    this.#passed = this.#last
  }

  /** The steady time (ms). */
  now(): number {
    const now = this.#clock()
    this.#passed += Math.max(0, now - this.#last)
    this.#last = now
    return this.#passed
  }

  /** The system clock's time at a steady time. */
  shown(at: number): number {
    return at - this.now() + this.#last
  }
}
