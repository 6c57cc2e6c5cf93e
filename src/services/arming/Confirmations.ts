// One-time confirmations of a text that a person agreed to. One server keeps them in memory alone, so that a restart voids
// them; servers that share a database keep them there, since the next request may come to another one.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"

/** How long a confirmation is valid (ms), and the most that are kept in memory: the oldest is dropped. */
export const CONFIRMATION_MS = 300_000
const MOST = 1_000

/** A registry of confirmations. */
export interface Confirmations {
  /** Issues a confirmation of `what`, the full text of the terms; `now` in ms. */
  readonly give: (
    what: string,
    now: number
  ) => Effect.Effect<{ readonly confirmation: string; readonly expiresAt: number }>
  /** Whether the confirmation is of exactly this; true uses it up. */
  readonly take: (what: string, confirmation: string, now: number) => Effect.Effect<boolean>
}

/** The registry of several servers; none where one is alone. */
export class SharedConfirmations extends Context.Reference<SharedConfirmations>()(
  "signalbox/services/arming/SharedConfirmations",
  { defaultValue: (): Option.Option<Confirmations> => Option.none() }
) {}

/** A new confirmation, which nobody can guess. */
export const draw = (): string => Encoding.encodeBase64Url(crypto.getRandomValues(new Uint8Array(24)))

/** Makes the registry of one server. */
export const make = (): Confirmations => {
  const given = new Map<string, { readonly what: string; readonly expiresAt: number }>()
  return {
    give: (what, now) =>
      Effect.sync(() => {
        for (const [token, { expiresAt }] of given)
          if (expiresAt <= now || given.size >= MOST) given.delete(token)
        const confirmation = draw()
        const expiresAt = now + CONFIRMATION_MS
        given.set(confirmation, { what, expiresAt })
        return { confirmation, expiresAt }
      }),
    take: (what, confirmation, now) =>
      Effect.sync(() => {
        const known = given.get(confirmation)
        if (known === undefined || known.what !== what || known.expiresAt <= now) return false
        given.delete(confirmation)
        return true
      })
  }
}
