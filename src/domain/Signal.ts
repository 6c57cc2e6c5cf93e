import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"
import * as Text from "./internal/Text.ts"

/** A signal: a whole number from 1, never given twice. */
export const SignalId = Schema.Int.pipe(Schema.positive(), Schema.brand("SignalId"))
export type SignalId = typeof SignalId.Type

/** The longest name, in characters as people count them (code points). */
export const SIGNAL_NAME_MAX = 35
/** The longest description, in code points. */
export const SIGNAL_DESCRIPTION_MAX = 120

/** What its owner sets of a signal. */
export const SignalDraft = Schema.Struct({
  name: Text.bounded(SIGNAL_NAME_MAX, { empty: false }),
  description: Text.bounded(SIGNAL_DESCRIPTION_MAX, { empty: true }),
  active: Schema.Boolean,
  public: Schema.Boolean
})
export type SignalDraft = typeof SignalDraft.Type

/** A named source of buy and sell instructions. Times in whole seconds since the Unix epoch. */
export const Signal = Schema.Struct({
  id: SignalId,
  account: AccountId,
  ...SignalDraft.fields,
  createdAt: Schema.Int,
  updatedAt: Schema.Int
})
export type Signal = typeof Signal.Type

/** Unknown, or another account's: one and the same answer, so that nothing can be probed. */
export class SignalNotFound extends Schema.TaggedError<SignalNotFound>()("SignalNotFound", {}) {
  override get message() {
    return "there is no such signal"
  }
}

/** Its owner switched the signal off: alerts for it are refused. */
export class SignalInactive extends Schema.TaggedError<SignalInactive>()("SignalInactive", {}) {
  override get message() {
    return "the signal is inactive: set its active field before sending alerts to it"
  }
}

/** The account holds `limit` signals already. */
export class TooManySignals extends Schema.TaggedError<TooManySignals>()("TooManySignals", {
  limit: Schema.Int
}) {
  override get message() {
    return `an account holds at most ${this.limit} signals: delete one first`
  }
}
