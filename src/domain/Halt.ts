import * as Schema from "effect/Schema"
import { AccountId } from "./Account.ts"

/** Who halted: a command, a request (API or dashboard), a day that lost too much, or a restore. */
export const HaltCause = Schema.Literal("command", "request", "daily_loss", "restored")
export type HaltCause = typeof HaltCause.Type

/**
 * While it holds, nothing is entered and nothing averaged into; exits go on. `account` is whose strategies it halts:
 * none stands for everybody's. `at` in ms; `text` says why.
 */
export const Halt = Schema.Struct({
  account: Schema.OptionFromNullOr(AccountId),
  at: Schema.Int,
  cause: HaltCause,
  text: Schema.String
})
export type Halt = typeof Halt.Type
