// A user's account at an exchange and the credentials to trade with it. Credentials are redacted: they appear in no
// log, answer or error.
import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"
import { ExchangeAccountId } from "./Arming.ts"
import { KnownExchange } from "./Market.ts"

/** The owner's name for an exchange account. */
export const ExchangeAccountName = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/))

/**
 * An exchange account without its keys. `sandbox`: on the exchange's test network. Times in seconds; `problem` is the
 * finding of the last check, none if it passed.
 */
export const ExchangeAccount = Schema.Struct({
  id: ExchangeAccountId,
  account: AccountId,
  name: ExchangeAccountName,
  exchange: KnownExchange,
  sandbox: Schema.Boolean,
  createdAt: Schema.Int,
  checkedAt: Schema.OptionFromNullOr(Schema.Int),
  problem: Schema.OptionFromNullOr(Schema.String)
})
export type ExchangeAccount = typeof ExchangeAccount.Type

/** The API credentials of an exchange account. Never in a log, an answer or an error. */
export const Credentials = Schema.Struct({
  apiKey: Schema.Redacted(Schema.NonEmptyString),
  secret: Schema.Redacted(Schema.NonEmptyString),
  /** The passphrase of the key, at exchanges whose keys have one. */
  password: Schema.optionalWith(Schema.Redacted(Schema.NonEmptyString), { exact: true })
})
export type Credentials = typeof Credentials.Type

/** No exchange account has this name or number, or it belongs to another account; the answer is the same. */
export class ExchangeAccountNotFound extends Schema.TaggedError<ExchangeAccountNotFound>()(
  "ExchangeAccountNotFound",
  {}
) {
  override get message() {
    return "there is no such exchange account: signalbox account list shows them"
  }
}
