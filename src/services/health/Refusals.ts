// Refused alerts, kept for the owner to read: in memory alone, bounded, and only of callers with a valid token.
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { AccountId } from "../../domain/Account.ts"
import type { Door } from "../../domain/alert/Incoming.ts"

/** A refused request to an alert door. `at` in ms since the epoch; `body` redacted, where it was kept. */
export interface Refusal {
  readonly at: number
  readonly door: Door
  readonly status: number
  readonly code: string
  readonly message: string
  readonly body: string | undefined
}

/** The most refusals kept of an account, the most accounts, and the most refusals in all. */
export const MAX_OF_ACCOUNT = 200
const MAX_ACCOUNTS = 1_000
const MAX_IN_ALL = 10_000

/** Of requests over a rate limit, one in this many ms is kept: the rest say nothing new, but are counted. */
const LIMITED_EVERY_MS = 10_000
const LIMITED = 429
const DAY_MS = 86_400_000

interface Shelf {
  refusals: Array<Refusal>
  limitedAt: number
  day: number
  count: number
}

/**
 * The last refused alerts since the server started. Beyond the bounds, the account that was refused longest ago is
 * dropped.
 */
export class Refusals extends Context.Tag("signalbox/services/health/Refusals")<
  Refusals,
  {
    readonly add: (account: AccountId, refusal: Refusal) => void
    /** Lists the account's own, newest first. */
    readonly list: (account: AccountId) => ReadonlyArray<Refusal>
    /** Counts the refusals of the UTC day of a time (ms), including those that were not kept. */
    readonly today: (account: AccountId, now: number) => number
  }
>() {
  static readonly layer = Layer.sync(Refusals, () => {
    const shelves = new Map<AccountId, Shelf>()
    let total = 0

    /** The account's refusals, moved to the end as the most recently used. */
    const take = (account: AccountId): Shelf => {
      const known = shelves.get(account)
      if (known !== undefined) shelves.delete(account)
      const shelf = known ?? { refusals: [], limitedAt: Number.NEGATIVE_INFINITY, day: 0, count: 0 }
      shelves.set(account, shelf)
      return shelf
    }
    const makeRoom = (): void => {
      for (const [account, { refusals }] of shelves) {
        if (total <= MAX_IN_ALL && shelves.size <= MAX_ACCOUNTS) return
        total -= refusals.length
        shelves.delete(account)
      }
    }

    return {
      add: (account, refusal) => {
        const shelf = take(account)
        const isKept = refusal.status !== LIMITED || refusal.at - shelf.limitedAt >= LIMITED_EVERY_MS
        const day = Math.floor(refusal.at / DAY_MS)
        shelf.count = day === shelf.day ? shelf.count + 1 : 1
        shelf.day = day
        if (isKept) {
          if (refusal.status === LIMITED) shelf.limitedAt = refusal.at
          shelf.refusals.push(refusal)
          total++
          if (shelf.refusals.length > MAX_OF_ACCOUNT) {
            shelf.refusals.shift()
            total--
          }
        }
        makeRoom()
      },
      list: (account) => [...(shelves.get(account)?.refusals ?? [])].reverse(),
      today: (account, now) => {
        const shelf = shelves.get(account)
        return shelf?.day === Math.floor(now / DAY_MS) ? shelf.count : 0
      }
    }
  })
}
