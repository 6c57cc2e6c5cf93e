// A halt: while one holds, its strategies make no entries (DCA included); exits continue.
import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"

/** The cause of a halt: a command, a request (API or dashboard), a paired chat, the loss limit of a day, or a restore. */
export const HaltCause = Schema.Literal("command", "request", "chat", "daily_loss", "restored")
export type HaltCause = typeof HaltCause.Type

/** A halt of an account's strategies, or of everybody's if `account` is none. `at` in ms; `text` gives the reason. */
export const Halt = Schema.Struct({
  account: Schema.OptionFromNullOr(AccountId),
  at: Schema.Int,
  cause: HaltCause,
  text: Schema.String
})
export type Halt = typeof Halt.Type
