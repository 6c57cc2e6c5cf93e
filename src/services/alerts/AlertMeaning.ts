// Decides the meaning of a request at an alert door: one pure function of the request and of the signals and pairs in
// memory. Both lanes of the door call it; missing data is looked up, and the function is called again.
import * as Either from "effect/Either"
import type { Identity } from "../../domain/Account.ts"
import { AlertUnreadable, type Instruction } from "../../domain/Alert.ts"
import * as AlertBody from "../../domain/alert/AlertBody.ts"
import type { Pairs } from "../../domain/alert/AlertPairs.ts"
import { type AlertPost, incoming } from "../../domain/alert/Incoming.ts"
import * as IdempotencyKey from "../../domain/requests/IdempotencyKey.ts"
import { type Violation, Violations, violation } from "../../domain/requests/Violations.ts"
import { type Signal, type SignalId, SignalInactive } from "../../domain/Signal.ts"
import type { AlertDraft } from "../Journal.ts"
import { samenessOf } from "./AlertSameness.ts"
import { outsideOf } from "./WitnessedAlert.ts"

/** The data of the sender's account in memory. A signal that is not in memory is undefined. */
export interface Known {
  readonly signal: (id: SignalId) => Signal | undefined
  readonly pairs: (id: SignalId) => Pairs
  /** SHA-256 of a text. */
  readonly digest: (text: string) => string
}

/** An alert to be stored, before it gets its time. */
export type Draft = Omit<AlertDraft, "receivedAt">

/** The meaning of a request: an alert to store, a test, an error of the sender's, or data to look up first. */
export type Meaning =
  | { readonly _tag: "Alert"; readonly draft: Draft }
  | { readonly _tag: "Test"; readonly instruction: Instruction }
  | { readonly _tag: "Refused"; readonly error: AlertUnreadable | Violations | SignalInactive }
  | { readonly _tag: "Unknown"; readonly what: "signal" | "pairs"; readonly signalId: SignalId }

/** Reads a request in a fixed sequence: idempotency key, fields, signal, sameness. */
export const meaningOf = (sender: Identity, post: AlertPost, known: Known): Meaning => {
  const key = IdempotencyKey.read(post.idempotencyKey)
  if (Either.isLeft(key)) return { _tag: "Refused", error: key.left }
  const decoded = AlertBody.decode(post, known.pairs)
  if (Either.isLeft(decoded)) return notDecoded(decoded.left, known)
  const request = decoded.right
  const { instruction, test, warnings } = request
  const signal = known.signal(instruction.signalId)
  if (signal === undefined) return { _tag: "Unknown", what: "signal", signalId: instruction.signalId }
  if (!signal.active) return { _tag: "Refused", error: new SignalInactive() }
  if (test) return { _tag: "Test", instruction }
  const draft = {
    account: sender.account,
    token: sender.token,
    instruction,
    warnings: post.warnings.length === 0 ? warnings : [...warnings, ...post.warnings],
    incoming: incoming(post.door, post.text, post.query),
    ...outsideOf(signal, instruction)
  }
  const sameness = samenessOf(sender, request, { post, key: key.right, digest: known.digest })
  return { _tag: "Alert", draft: sameness === undefined ? draft : { ...draft, sameness } }
}

/** A request without a valid alert. A missing signal is reported before violations of the fields. */
const notDecoded = (refused: AlertBody.AlertRefused, known: Known): Meaning => {
  switch (refused._tag) {
    case "Unreadable":
      return {
        _tag: "Refused",
        error: new AlertUnreadable({ text: refused.text, isUnfilled: refused.unfilled })
      }
    case "Unsure":
      return { _tag: "Unknown", what: "pairs", signalId: refused.signalId }
    case "Invalid": {
      const { signalId, violations } = refused
      if (signalId === undefined) return invalid(violations)
      const signal = known.signal(signalId)
      if (signal === undefined) return { _tag: "Unknown", what: "signal", signalId }
      return invalid(signal.active ? violations : [...violations, INACTIVE])
    }
  }
}

const INACTIVE = violation("signal_id", "is an inactive signal")

const invalid = (violations: ReadonlyArray<Violation>): Meaning => ({
  _tag: "Refused",
  error: Violations.of([...violations])
})
