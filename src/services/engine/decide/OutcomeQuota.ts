// Counts the outcomes of each account's strategies per UTC day. An outcome counts once it is decided, and is taken back
// if storage refuses it. The counts on disk are read once, when the engine begins with an account.
import type { AccountId } from "../../../domain/Account.ts"
import { dayOf } from "../../records/Results.ts"

/** Days kept in memory, because the clock may be set back over midnight. */
const DAYS = 2

export class OutcomeQuota {
  readonly #most: number
  readonly #days = new Map<number, Map<AccountId, number>>()

  /** `most` outcomes of an account a day; 0 lifts the bound. */
  constructor(most: number) {
    this.#most = most
  }

  /** Takes over the counts of accounts on the day of a time (ms), as they are on disk. */
  begin(now: number, counts: Iterable<readonly [AccountId, number]>): void {
    const known = this.#days.get(dayOf(now)) ?? new Map<AccountId, number>()
    for (const [account, count] of counts) known.set(account, count)
    this.#days.set(dayOf(now), known)
  }

  /** Whether the account has reached its bound on the day of a time (ms). */
  isSpent(account: AccountId, now: number): boolean {
    return this.#most > 0 && (this.#days.get(dayOf(now))?.get(account) ?? 0) >= this.#most
  }

  /** Adds to the count; a negative number takes outcomes back. */
  add(account: AccountId, at: number, count = 1): void {
    const day = dayOf(at)
    const counts = this.#days.get(day) ?? new Map<AccountId, number>()
    counts.set(account, (counts.get(account) ?? 0) + count)
    this.#days.set(day, counts)
    if (this.#days.size > DAYS) this.#days.delete(Math.min(...this.#days.keys()))
  }
}
