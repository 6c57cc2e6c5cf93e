// Rejects keys on the command line before the library parses it: its errors would print an unknown word, and shells
// keep command lines.
import * as Effect from "effect/Effect"
import { type UsageError, usage } from "../program/usage.ts"

/** The options of the commands that ask for keys, and whether each takes a value. */
const OPTIONS: ReadonlyMap<string, boolean> = new Map([
  ["--name", true],
  ["--owner", true],
  ["--db", true],
  ["--database", true],
  ["--exchange-urls", true],
  ["--log-level", true],
  ["--sandbox", false],
  ["--no-check", false],
  ["--new-master-key", false],
  ["--json", false],
  ["--help", false],
  ["-h", false]
])

const REASON =
  "keys are not accepted on the command line, because history files and process lists show it: type them when asked, or send them to standard input"

/** Fails if a word of `account connect` or `account rekey` may be a key. */
export const refuseSecrets = (args: ReadonlyArray<string>): Effect.Effect<void, UsageError> => {
  const [group, command, ...words] = args.slice(2)
  if (group !== "account" || (command !== "connect" && command !== "rekey")) return Effect.void
  let plain = 0
  for (let index = 0; index < words.length; index++) {
    const [word = "", hasValue] = split(words[index] ?? "")
    if (!word.startsWith("-")) {
      plain++
      continue
    }
    const takesValue = OPTIONS.get(word)
    if (takesValue === undefined) return usage(REASON)
    if (takesValue && !hasValue) index++
  }
  return plain > 1 ? usage(REASON) : Effect.void
}

const split = (word: string): readonly [name: string, hasValue: boolean] => {
  const at = word.startsWith("-") ? word.indexOf("=") : -1
  return at < 0 ? [word, false] : [word.slice(0, at), true]
}
