// One-time confirmations of a text that a person agreed to. They are in memory alone, so a restart voids them.
import * as Encoding from "effect/Encoding"

/** How long a confirmation is valid (ms), and the most that are kept: the oldest is dropped. */
export const CONFIRMATION_MS = 300_000
const MOST = 1_000

/** Makes the registry of confirmations. */
export const make = () => {
  const given = new Map<string, { readonly what: string; readonly expiresAt: number }>()
  return {
    /** Issues a confirmation of `what`, the full text of the terms; `now` in ms. */
    give: (what: string, now: number) => {
      for (const [token, { expiresAt }] of given)
        if (expiresAt <= now || given.size >= MOST) given.delete(token)
      const confirmation = Encoding.encodeBase64Url(crypto.getRandomValues(new Uint8Array(24)))
      const expiresAt = now + CONFIRMATION_MS
      given.set(confirmation, { what, expiresAt })
      return { confirmation, expiresAt }
    },
    /** Whether the confirmation is of exactly this; true uses it up. */
    take: (what: string, confirmation: string, now: number): boolean => {
      const known = given.get(confirmation)
      if (known === undefined || known.what !== what || known.expiresAt <= now) return false
      given.delete(confirmation)
      return true
    }
  }
}
