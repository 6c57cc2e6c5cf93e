// Commands of an owner: to the bot of a strategy, or to change several strategies together. The command line stores one
// in the database; only the server carries it out and answers.
import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"
import { ArmedTerms } from "./Arming.ts"
import { ManualOrder } from "./position/ManualOrder.ts"
import { StrategyId } from "./StrategyId.ts"

/** One of several strategies that are changed together: a new one, or an update of the one that was read before. */
export const BatchEntry = Schema.Struct({
  before: Schema.optionalWith(Schema.Struct({ id: StrategyId, revision: Schema.Int }), { exact: true }),
  /** In the fields of a request. */
  body: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})
export type BatchEntry = typeof BatchEntry.Type

/**
 * Arm or disarm a strategy: `close` sells open positions, `forget` writes off those that no longer exist. Or give it an
 * order by hand, or apply several strategies at once.
 */
export const Command = Schema.Union(
  Schema.TaggedStruct("Arm", { terms: ArmedTerms }),
  Schema.TaggedStruct("Disarm", { close: Schema.Boolean, forget: Schema.Boolean }),
  Schema.TaggedStruct("ByHand", { order: ManualOrder }),
  Schema.TaggedStruct("Apply", { entries: Schema.Array(BatchEntry) })
)
export type Command = typeof Command.Type

/** The place of a strategy in a command that concerns several. */
export const SEVERAL = 0

/** A stored command for the server. `at` in ms. */
export const StoredCommand = Schema.Struct({
  id: Schema.Int,
  account: AccountId,
  strategy: Schema.Union(StrategyId, Schema.Literal(SEVERAL)),
  wish: Command,
  at: Schema.Int
})
export type StoredCommand = typeof StoredCommand.Type

/** The result of a command: done or refused, with a text for the owner. */
export const CommandAnswer = Schema.Struct({ isDone: Schema.Boolean, text: Schema.String })
export type CommandAnswer = typeof CommandAnswer.Type
