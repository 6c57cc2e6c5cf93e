// The schedule for looking up an order again: every round at first, then less and less often, so that an exchange which
// has lost the order is not queried at full rate for ever.

/** How often to ask about a resting stop (ms). */
const RESTING_MS = 5_000
/** The wait as a share of the time since the first question, and its maximum (ms). */
const SHARE = 1 / 120
const MOST_MS = 30_000

/** The schedule of questions, by name. */
export class LookupSchedule {
  readonly #lookups = new Map<string, { readonly since: number; last: number }>()

  /** Forgets all names but these. */
  keep(names: ReadonlySet<string>): void {
    for (const name of this.#lookups.keys()) if (!names.has(name)) this.#lookups.delete(name)
  }

  /** Whether to ask now (ms); true counts as asked. */
  isDue(name: string, isResting: boolean, now: number): boolean {
    const known = this.#lookups.get(name)
    if (known === undefined) {
      this.#lookups.set(name, { since: now, last: now })
      return true
    }
    const wait = isResting ? RESTING_MS : Math.min((now - known.since) * SHARE, MOST_MS)
    // Ask also where the clock was set back to before the last question.
    if (now >= known.last && now - known.last < wait) return false
    known.last = now
    return true
  }
}
