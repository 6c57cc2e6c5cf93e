import * as Effect from "effect/Effect"
import { type UsageError, usage } from "../program/usage.ts"

/** What the commands that ask for keys take beside their one word, and whether a value follows. */
const OPTIONS: ReadonlyMap<string, boolean> = new Map([
  ["--name", true],
  ["--owner", true],
  ["--db", true],
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
  "keys are never taken from the command line, where history files and process lists show them: leave them out, and type them when asked, or send them to standard input"

/**
 * Whether a key may stand on the command line, looked at before the library does, which repeats what it does not
 * know. The environment is not asked for keys either.
 */
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
