// Reads requests of the alert doors with what is at hand, and looks up what is not: a signal that is not cached, or the
// pairs of the catalogue.
import * as Effect from "effect/Effect"
import type { Identity } from "../../domain/Account.ts"
import type { AlertUnreadable } from "../../domain/Alert.ts"
import type { Pairs } from "../../domain/alert/AlertPairs.ts"
import type { AlertPost } from "../../domain/alert/Incoming.ts"
import type { Violations } from "../../domain/requests/Violations.ts"
import type { SignalId, SignalInactive, SignalNotFound } from "../../domain/Signal.ts"
import { Digest } from "../internal/Digest.ts"
import * as AlertPairs from "../records/AlertPairs.ts"
import { Signals } from "../Signals.ts"
import { type Known, type Meaning, meaningOf } from "./AlertMeaning.ts"

/** Why a request is no alert. */
export type AlertRejected = AlertUnreadable | Violations | SignalInactive | SignalNotFound

/** A valid request's meaning, and what it was read with. */
interface Found {
  readonly meaning: Extract<Meaning, { readonly _tag: "Alert" | "Test" }>
  readonly known: Known
}

/**
 * The same, with the pairs of a signal read once: another process may change the database, and so empty the cache,
 * between a decision and its explanation.
 */
const pinned = (known: Known): Known => {
  const read = new Map<SignalId, Pairs>()
  return {
    ...known,
    pairs: (id) => {
      const pairs = read.get(id) ?? known.pairs(id)
      read.set(id, pairs)
      return pairs
    }
  }
}

/** Makes the two: what is at hand for a sender, and the look-up. */
export const make = Effect.gen(function* () {
  const signals = yield* Signals
  const digest = yield* Digest
  const pairs = yield* AlertPairs.make

  const atHand = ({ account }: Identity): Known => ({
    digest,
    signal: (id) => signals.recall(account, id),
    pairs: (id) => pairs.recall(account, id)
  })

  /** The meaning of a request; fails where the request is no alert. */
  const lookUp = (
    sender: Identity,
    post: AlertPost,
    known = pinned(atHand(sender))
  ): Effect.Effect<Found, AlertRejected> => {
    const meaning = meaningOf(sender, post, known)
    switch (meaning._tag) {
      case "Alert":
      case "Test":
        return Effect.succeed({ meaning, known })
      case "Refused":
        return Effect.fail(meaning.error)
      case "Unknown":
        return meaning.what === "signal"
          ? Effect.flatMap(signals.get(sender.account, meaning.signalId), (signal) =>
              lookUp(sender, post, { ...known, signal: () => signal })
            )
          : Effect.flatMap(pairs.of(sender.account, meaning.signalId), (all) =>
              lookUp(sender, post, { ...known, pairs: () => all })
            )
    }
  }
  return { atHand, lookUp }
})
