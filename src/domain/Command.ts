// Commands of an owner to the bot of a strategy: arm, disarm, or an order by hand. The command line stores one in the database; only the
// server carries it out and answers.
import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"
import { ArmedTerms } from "./Arming.ts"
import { ManualOrder } from "./position/ManualOrder.ts"
import { StrategyId } from "./StrategyId.ts"

/**
 * Arm or disarm a strategy, or give it an order by hand. `close` sells open positions, `forget` writes off those that no
 * longer exist.
 */
export const Command = Schema.Union(
  Schema.TaggedStruct("Arm", { terms: ArmedTerms }),
  Schema.TaggedStruct("Disarm", { close: Schema.Boolean, forget: Schema.Boolean }),
  Schema.TaggedStruct("ByHand", { order: ManualOrder })
)
export type Command = typeof Command.Type

/** A stored command for the server. `at` in ms. */
export const StoredCommand = Schema.Struct({
  id: Schema.Int,
  account: AccountId,
  strategy: StrategyId,
  wish: Command,
  at: Schema.Int
})
export type StoredCommand = typeof StoredCommand.Type

/** The result of a command: done or refused, with a text for the owner. */
export const CommandAnswer = Schema.Struct({ isDone: Schema.Boolean, text: Schema.String })
export type CommandAnswer = typeof CommandAnswer.Type
