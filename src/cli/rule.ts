// `signalbox rule`: checks the rule of a file, and lists what the language has. Rules are given to signals by the API, the
// dashboard and `signal apply`.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { json } from "./program/shared.ts"
import { columns, plain } from "./program/table.ts"
import { rows } from "./rule/functions.ts"
import * as RuleFile from "./rule/RuleFile.ts"
import { entriesOf, errorText, textOf } from "./rule/ruleText.ts"

/** The rule has errors: exit code 1. */
class RuleRefused extends Data.TaggedError("RuleRefused")<{ readonly message: string }> {}

const file = Args.text({ name: "file" }).pipe(
  Args.withDescription("a JSON file with a rule, or with a signal that has one, as signal export writes it")
)

const check = Command.make("check", { file, json }, (options) =>
  Effect.gen(function* () {
    const { read, value } = yield* Effect.mapError(
      RuleFile.read(options.file),
      ({ message }) => new RuleRefused({ message: `${plain(options.file)}: ${message}` })
    )
    if (Either.isRight(read))
      return yield* Console.log(
        options.json ? JSON.stringify({ errors: [], entries: entriesOf(read.right) }) : textOf(read.right)
      )
    if (options.json)
      yield* Console.log(
        JSON.stringify({
          errors: read.left.map(({ column = null, field, text }) => ({ field, column, text })),
          entries: []
        })
      )
    const errors = read.left.map((error) => errorText(value, error))
    const count = `${errors.length} ${errors.length === 1 ? "error" : "errors"}`
    return yield* new RuleRefused({ message: [`${plain(options.file)}: ${count}`, ...errors].join("\n") })
  })
).pipe(Command.withDescription("say in words what a rule does, or where it is wrong"))

const functions = Command.make("functions", { json }, (options) =>
  Effect.suspend(() => {
    const all = rows()
    return Console.log(
      options.json
        ? JSON.stringify(all)
        : [
            columns(
              ["function", "outputs", "example", "candles"],
              all.map(({ example, form, outputs, warmup }) => [
                form,
                outputs.map((it) => `.${it}`).join(" "),
                example,
                warmup
              ])
            ),
            "",
            "What each is, and how the language differs from Pine: src/guide/signal-rules.md, /guide/signal-rules on a server"
          ].join("\n")
    )
  })
).pipe(
  Command.withDescription("list the functions of the rule language, with the candles that a usual call needs")
)

export const rule = Command.make("rule").pipe(
  Command.withDescription("check a rule, and list the functions that rules are made of"),
  Command.withSubcommands([check, functions])
)
