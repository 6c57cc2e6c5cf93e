// Bans of exchange accounts for too many requests, decided by time alone and not by the number of requests.
import type { Chance } from "./Chance.ts"

/** An account is banned at most once in this time, at a random moment. */
const SPAN_MS = 40_000
const SHARE = 0.2

/** Tells when the exchange rejects all requests of an account. */
export class Bans {
  readonly #chance: Chance
  readonly #known = new Map<string, { readonly from: number; readonly until: number }>()

  constructor(chance: Chance) {
    this.#chance = chance
  }

  isBanned(account: number | undefined, now: number): boolean {
    const span = Math.floor(now / SPAN_MS)
    const key = `ban ${span} of ${account ?? "paper"}`
    const ban = this.#known.get(key) ?? this.#draw(key, span * SPAN_MS)
    return now >= ban.from && now < ban.until
  }

  #draw(key: string, start: number): { readonly from: number; readonly until: number } {
    const dice = this.#chance.of(key)
    const from = start + dice.below(SPAN_MS)
    const ban = { from, until: dice.chance(SHARE) ? from + dice.whole(5_000, 30_000) : from }
    this.#known.set(key, ban)
    return ban
  }
}
