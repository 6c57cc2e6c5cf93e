// Asks for the secrets of a notification target, on the terminal without echo or from standard input; never from an
// argument.
import * as Prompt from "@effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ChannelKind } from "../../domain/Target.ts"
import { usage } from "../program/usage.ts"

/** The questions of each kind, in order. An optional one may be answered with an empty line. */
const QUESTIONS: Readonly<
  Record<ChannelKind, ReadonlyArray<readonly [field: "url" | "token", question: string, optional?: true]>>
> = {
  webhook: [["url", "Address of the webhook"]],
  telegram: [["token", "Token of the bot, as BotFather gave it"]],
  discord: [["url", "Address of the Discord webhook"]],
  ntfy: [
    ["url", "Address of the topic"],
    ["token", "Access token, if the topic wants one", true]
  ]
}

/** The answers; standard input holds one line for each. */
export const ask = Effect.fnUntraced(function* (kind: ChannelKind) {
  const questions = QUESTIONS[kind]
  const answers = process.stdin.isTTY
    ? yield* Effect.forEach(questions, ([, message]) =>
        Effect.map(Prompt.run(Prompt.password({ message })), Redacted.value)
      )
    : yield* Effect.map(
        Effect.promise(() => Bun.stdin.text()),
        (all) => all.split("\n")
      )
  const fields: Record<string, string> = {}
  for (const [index, [field, question, optional]] of questions.entries()) {
    const answer = answers[index]?.trim() ?? ""
    if (answer !== "") fields[field] = answer
    else if (optional !== true) return yield* usage(`standard input has to hold: ${question}`)
  }
  return fields
})
