// A signal: a named source of alerts that strategies follow. Another account's private signal answers exactly like an
// unknown one.
import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"
import { DisplayName } from "./directory/DisplayName.ts"
import { optional } from "./internal/Optional.ts"
import { SignalId } from "./internal/SignalId.ts"
import * as Text from "./internal/Text.ts"
import { RuleDocument } from "./signalRule/RuleDocument.ts"
import { RuleStamp } from "./signalRule/StoredRule.ts"

export { SignalId }

/** The longest name, in code points. */
export const SIGNAL_NAME_MAX = 35
/** The longest description, in code points. */
export const SIGNAL_DESCRIPTION_MAX = 120

/**
 * The fields that the owner sets. `displayName` is the name of the owner that the public directory shows; an empty one
 * takes it away, and what has none is not listed. A null takes the rule away.
 */
export const SignalDraft = Schema.Struct({
  name: Text.bounded(SIGNAL_NAME_MAX, { empty: false }),
  description: Text.bounded(SIGNAL_DESCRIPTION_MAX, { empty: true }),
  active: Schema.Boolean,
  public: Schema.Boolean,
  displayName: optional(Schema.Union(DisplayName, Schema.Literal(""))),
  rule: optional(Schema.NullOr(RuleDocument))
})
export type SignalDraft = typeof SignalDraft.Type

/**
 * A signal. Times in whole seconds since the Unix epoch. `rule` is the version of its rule, absent without one; the rule
 * itself is for its owner only, and read by `Signals.rule`.
 */
export const Signal = Schema.Struct({
  id: SignalId,
  account: AccountId,
  ...SignalDraft.fields,
  displayName: optional(DisplayName),
  rule: optional(RuleStamp),
  createdAt: Schema.Int,
  updatedAt: Schema.Int
})
export type Signal = typeof Signal.Type

/** No signal has this id, or it belongs to another account; the answer is the same, so ids cannot be probed. */
export class SignalNotFound extends Schema.TaggedError<SignalNotFound>()("SignalNotFound", {}) {
  override get message() {
    return "there is no such signal"
  }
}

/** The owner switched the signal off; alerts for it are refused. */
export class SignalInactive extends Schema.TaggedError<SignalInactive>()("SignalInactive", {}) {
  override get message() {
    return "the signal is inactive: set its active field before sending alerts to it"
  }
}

/** The account already has `limit` signals. */
export class TooManySignals extends Schema.TaggedError<TooManySignals>()("TooManySignals", {
  limit: Schema.Int
}) {
  override get message() {
    return `an account holds at most ${this.limit} signals: delete one first`
  }
}
