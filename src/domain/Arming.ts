// The terms and state of a strategy that is armed, that is, trades with real money: the exchange account, the capital
// it may lose, and the bounds on an order and on a day's loss.
import * as Schema from "effect/Schema"
import * as Decimal from "./Decimal.ts"
import { optional } from "./internal/Optional.ts"

/** The id of a user's exchange account: an integer from 1, never reused. */
export const ExchangeAccountId = Schema.Int.pipe(Schema.positive(), Schema.brand("ExchangeAccountId"))
export type ExchangeAccountId = typeof ExchangeAccountId.Type

/**
 * The destination of a live order. Its client order id contains `tag`, which is drawn anew with each arming and each
 * restore, so no client order id is ever used twice at the exchange.
 */
export const Destination = Schema.Struct({ account: ExchangeAccountId, tag: Schema.String })
export type Destination = typeof Destination.Type

/**
 * The terms of arming. `capital` is the starting equity and all that the strategy may lose; an entry may use at most
 * `maxOrder`, fee included; a UTC day may lose at most `maxDailyLoss`, realised and open. All in the strategy's quote
 * currency. `protect` keeps the stop loss at the exchange too.
 */
export const armedTerms = {
  account: ExchangeAccountId,
  capital: Decimal.Text,
  maxOrder: Decimal.Text,
  maxDailyLoss: Decimal.Text,
  protect: Schema.Boolean
}
/** The terms as a schema of their own. */
export const ArmedTerms = Schema.Struct(armedTerms)
export type ArmedTerms = typeof ArmedTerms.Type

const armedFields = {
  ...armedTerms,
  tag: Schema.String,
  since: Schema.Int,
  leaving: optional(Schema.Literal(true)),
  twins: optional(Schema.Array(ExchangeAccountId)),
  day: optional(
    Schema.Struct({ start: Schema.Int, equity: Decimal.Text, tripped: optional(Schema.Literal(true)) })
  )
}
/** The schema of an armed strategy. */
export interface ArmedSchema extends Schema.Struct<typeof armedFields> {}
/**
 * An armed strategy. `since` in ms. `leaving`: it was disarmed with something open; it makes no entries and returns to
 * paper once flat. `day` begins at midnight UTC (`start`, ms) with `equity`, net of closing costs; `tripped` once the
 * day's loss reached its bound, which bars entries until the day ends. `twins` are exchange accounts that were known at
 * arming to be the same account under another name or key.
 */
export const Armed: ArmedSchema = Schema.Struct(armedFields)
export type Armed = typeof Armed.Type

/** The reasons why a strategy is not armed or disarmed. They are codes of problem documents too. @internal */
export const REFUSALS = [
  "not_flat",
  "armed_already",
  "not_armed",
  "unknown_exchange_account",
  "exchange_not_listed",
  "bad_terms",
  "balance_too_small",
  "account_unavailable",
  "may_withdraw",
  "confirmation_needed",
  "busy"
] as const

/**
 * Why a strategy was not armed or disarmed; `detail` says what to do. `field` is the term of the request that it is
 * about, by its name on the wire; absent where the strategy's state is the reason.
 */
export class ArmingRefused extends Schema.TaggedError<ArmingRefused>()("ArmingRefused", {
  reason: Schema.Literal(...REFUSALS),
  detail: Schema.String,
  field: optional(Schema.Literal("account", "capital", "max_order", "max_daily_loss", "confirmation"))
}) {
  override get message() {
    return this.detail
  }
}
