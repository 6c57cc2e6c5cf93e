import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"
import { ArmedTerms } from "./Arming.ts"
import { StrategyId } from "./StrategyId.ts"

/**
 * What the owner of a strategy wants of its bot: to trade with real money, or no longer. `close` sells what is open,
 * `forget` takes out of the books what is not there any more.
 */
export const Command = Schema.Union(
  Schema.TaggedStruct("Arm", { terms: ArmedTerms }),
  Schema.TaggedStruct("Disarm", { close: Schema.Boolean, forget: Schema.Boolean })
)
export type Command = typeof Command.Type

/** A wish that a command left for the server, which alone may fulfil it. `at` in ms. */
export const StoredCommand = Schema.Struct({
  id: Schema.Int,
  account: AccountId,
  strategy: StrategyId,
  wish: Command,
  at: Schema.Int
})
export type StoredCommand = typeof StoredCommand.Type

/** What became of it: done or refused, and the words for its owner. */
export const CommandAnswer = Schema.Struct({ isDone: Schema.Boolean, text: Schema.String })
export type CommandAnswer = typeof CommandAnswer.Type
