// `signalbox halt` and `resume`: stop and allow entries, for everybody or for one account. Exits are never stopped.
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Halting from "../../services/money/Halting.ts"
import { KNOWN_MILLIS } from "../../sqlite/client/ChangePoll.ts"
import { byDefault, database, json, onStored } from "../program/shared.ts"
import { usage } from "../program/usage.ts"
import { account, endOf, inForce, isOf, lineOf, viewOf, whose } from "./HaltTarget.ts"

const MAX_REASON = 200

const reason = byDefault(
  Options.text("reason"),
  "by a command",
  `the reason to show to users, at most ${MAX_REASON} characters`
)

export const halt = Command.make(
  "halt",
  {
    account: account("only the strategies of this account; by default everybody's"),
    reason,
    json,
    db: database
  },
  (options) =>
    Effect.gen(function* () {
      const text = options.reason.trim().replace(/\.$/, "")
      if (text === "" || text.length > MAX_REASON)
        return yield* usage(`--reason takes 1 to ${MAX_REASON} characters`)
      const target = yield* whose(options.account)
      yield* Halting.halt(target, "command", text)
      // Wait until a running server has read the halt: the command must not report it before it holds.
      yield* Effect.sleep(KNOWN_MILLIS)
      const found = (yield* inForce).filter(isOf(target))
      if (options.json) return yield* Console.log(JSON.stringify(found.map(viewOf)))
      yield* Console.log(found.map((it) => `${lineOf(it)}\nTo end it: ${endOf(it)}`).join("\n"))
    }).pipe(onStored(options.db))
).pipe(Command.withDescription("stop all entries and averaging, on paper too; exits go on"))

export const resume = Command.make(
  "resume",
  { account: account("end the halt of this account; by default everybody's"), json, db: database },
  (options) =>
    Effect.gen(function* () {
      const target = yield* whose(options.account)
      const ended = yield* Halting.resume(target)
      const left = yield* inForce
      if (options.json) return yield* Console.log(JSON.stringify({ resumed: ended, halts: left.map(viewOf) }))
      const name = Option.match(options.account, {
        onNone: () => "for everybody",
        onSome: (name) => `of account ${name}`
      })
      yield* Console.log(ended ? `The halt ${name} has ended.` : `There was no halt ${name}.`)
      if (left.length === 0) return yield* Console.log("No entries are halted.")
      yield* Console.log(
        ["Still halted:", ...left.map((it) => `  ${lineOf(it)} To end it: ${endOf(it)}`)].join("\n")
      )
    }).pipe(onStored(options.db))
).pipe(Command.withDescription("end a halt, and show what is still halted"))
