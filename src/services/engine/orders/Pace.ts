/** How often a stop that rests is asked about. */
const RESTING_MS = 5_000
/** How much of the time that an order has been asked about passes until the next time, and the most of it (ms). */
const SHARE = 1 / 120
const MOST_MS = 30_000

/**
 * When orders are asked about again: in each round at first, and less and less often where their end does not come, lest
 * an exchange that does not know the key any more is asked for ever as if it did.
 */
export class Pace {
  readonly #asked = new Map<string, { readonly since: number; last: number }>()

  /** Forgets all but these. */
  keep(names: ReadonlySet<string>): void {
    for (const name of this.#asked.keys()) if (!names.has(name)) this.#asked.delete(name)
  }

  /** Whether it is time (ms) to ask; then it is asked. */
  isDue(name: string, isResting: boolean, now: number): boolean {
    const known = this.#asked.get(name)
    if (known === undefined) {
      this.#asked.set(name, { since: now, last: now })
      return true
    }
    const wait = isResting ? RESTING_MS : Math.min((now - known.since) * SHARE, MOST_MS)
    // Before the last time is where the clock was set back.
    if (now >= known.last && now - known.last < wait) return false
    known.last = now
    return true
  }
}
