import * as Encoding from "effect/Encoding"

/** For how long a confirmation may be used (ms), and how many are kept: the oldest makes room. */
export const CONFIRMATION_MS = 300_000
const MOST = 1_000

/** Confirmations that were given, each for one thing, to be used once. In memory: a restart asks anew. */
export const make = () => {
  const given = new Map<string, { readonly what: string; readonly expiresAt: number }>()
  return {
    /** At a time (ms); what it is for is a text that says all of it. */
    give: (what: string, now: number) => {
      for (const [token, { expiresAt }] of given)
        if (expiresAt <= now || given.size >= MOST) given.delete(token)
      const confirmation = Encoding.encodeBase64Url(crypto.getRandomValues(new Uint8Array(24)))
      const expiresAt = now + CONFIRMATION_MS
      given.set(confirmation, { what, expiresAt })
      return { confirmation, expiresAt }
    },
    /** Whether it was given for just this; it is used up then. */
    take: (what: string, confirmation: string, now: number): boolean => {
      const known = given.get(confirmation)
      if (known === undefined || known.what !== what || known.expiresAt <= now) return false
      given.delete(confirmation)
      return true
    }
  }
}
