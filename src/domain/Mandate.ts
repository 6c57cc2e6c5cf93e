import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"
import { ArmedTerms } from "./Live.ts"
import { StrategyId } from "./StrategyId.ts"

/**
 * What the owner of a strategy wants of its bot: to trade with real money, or no longer. `close` sells what is open,
 * `forget` takes out of the books what is not there any more.
 */
export const Wish = Schema.Union(
  Schema.TaggedStruct("Arm", { terms: ArmedTerms }),
  Schema.TaggedStruct("Disarm", { close: Schema.Boolean, forget: Schema.Boolean })
)
export type Wish = typeof Wish.Type

/** A wish that a command left for the server, which alone may fulfil it. `at` in ms. */
export const Mandate = Schema.Struct({
  id: Schema.Int,
  account: AccountId,
  strategy: StrategyId,
  wish: Wish,
  at: Schema.Int
})
export type Mandate = typeof Mandate.Type

/** What became of it: done or refused, and the words for its owner. */
export const MandateAnswer = Schema.Struct({ isDone: Schema.Boolean, text: Schema.String })
export type MandateAnswer = typeof MandateAnswer.Type
