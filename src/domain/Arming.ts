import * as Schema from "effect/Schema"
import * as Decimal from "./Decimal.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** An account of the user's at an exchange: a whole number from 1, never given twice. */
export const ExchangeAccountId = Schema.Int.pipe(Schema.positive(), Schema.brand("ExchangeAccountId"))
export type ExchangeAccountId = typeof ExchangeAccountId.Type

/**
 * Where a live order goes, and what its client id is made of besides its own: `tag` is drawn anew with each arming and
 * each restore, so that no order ever bears the client id of another that the exchange has seen.
 */
export const Destination = Schema.Struct({ account: ExchangeAccountId, tag: Schema.String })
export type Destination = typeof Destination.Type

/**
 * What was agreed to when a strategy was armed. `capital` is the starting equity, and all that it may lose; an entry
 * may use up at most `maxOrder`, fee included; a day (UTC) may lose at most `maxDailyLoss`, realised and open. All in
 * the strategy's quote currency. `protect` keeps the stop at the exchange too.
 */
export const armedTerms = {
  account: ExchangeAccountId,
  capital: Decimal.Text,
  maxOrder: Decimal.Text,
  maxDailyLoss: Decimal.Text,
  protect: Schema.Boolean
}
/** The same as a value of its own. */
export const ArmedTerms = Schema.Struct(armedTerms)
export type ArmedTerms = typeof ArmedTerms.Type

/**
 * A strategy that trades with real money. `since` in ms. `leaving`: it was disarmed and has something open; it enters
 * nothing, and is on paper again once it is flat. `day` begins at midnight UTC (`start`, ms) with `equity`, net of
 * what closing would cost; `tripped` once the day has lost too much: nothing is entered until it is over. `twins` are
 * accounts that were known to be the same one at the exchange, under another name or key, when it was armed.
 */
export const Armed = Schema.Struct({
  ...armedTerms,
  tag: Schema.String,
  since: Schema.Int,
  leaving: optional(Schema.Literal(true)),
  twins: optional(Schema.Array(ExchangeAccountId)),
  day: optional(
    Schema.Struct({ start: Schema.Int, equity: Decimal.Text, tripped: optional(Schema.Literal(true)) })
  )
})
export type Armed = typeof Armed.Type
