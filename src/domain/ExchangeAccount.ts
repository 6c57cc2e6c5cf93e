import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"
import { ExchangeAccountId } from "./Arming.ts"
import { ExchangeName } from "./Market.ts"

/** What its owner calls an account at an exchange. */
export const ExchangeAccountName = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/))

/**
 * An account at an exchange, without its keys. `sandbox`: at the exchange's own test network. Times in seconds;
 * `problem` is what the last check found, none where it was well.
 */
export const ExchangeAccount = Schema.Struct({
  id: ExchangeAccountId,
  account: AccountId,
  name: ExchangeAccountName,
  exchange: ExchangeName,
  sandbox: Schema.Boolean,
  createdAt: Schema.Int,
  checkedAt: Schema.OptionFromNullOr(Schema.Int),
  problem: Schema.OptionFromNullOr(Schema.String)
})
export type ExchangeAccount = typeof ExchangeAccount.Type

/** What an exchange asks for to let a program trade. Never in a log, an answer or an error. */
export const Credentials = Schema.Struct({
  apiKey: Schema.Redacted(Schema.NonEmptyString),
  secret: Schema.Redacted(Schema.NonEmptyString),
  /** The passphrase of okx, kucoin and bitget. */
  password: Schema.optionalWith(Schema.Redacted(Schema.NonEmptyString), { exact: true })
})
export type Credentials = typeof Credentials.Type

/** No account of this name or number, or none of the caller's: the two are not told apart. */
export class ExchangeAccountNotFound extends Schema.TaggedError<ExchangeAccountNotFound>()(
  "ExchangeAccountNotFound",
  {}
) {
  override get message() {
    return "there is no such exchange account: signalbox account list shows them"
  }
}
