// Recognises command lines that ask for help, and writes the overview of all commands.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Page } from "./help/Page.ts"
import { wrongSubcommand } from "./nearest.ts"
import { columns } from "./table.ts"
import { type UsageError, usage } from "./usage.ts"
import { version } from "./version.ts"

/** A command's name and description. */
export interface Entry {
  readonly name: string
  readonly description: string
}

/** The text of `signalbox` without a command. */
export const overview = (entries: ReadonlyArray<Entry>): string =>
  [
    `signalbox ${version}: a trading automation server; alerts in, explained trades out.`,
    "",
    "usage: signalbox COMMAND [options]",
    "",
    columns(
      ["  command", "what it does"],
      entries.map(({ description, name }) => [`  ${name}`, description])
    ),
    "",
    "For one command: signalbox COMMAND --help. New here? signalbox demo",
    "Every command, setting and error is explained in the guide: /guide on a running server.",
    "Settings come from options, environment variables or a file (--config FILE); signalbox config shows them all.",
    "Exit codes: 0 done, 1 failed, 2 bad usage, 130 or 143 stopped by a signal."
  ].join("\n")

/** Whether the command line asks for the overview and nothing else. */
export const asksForOverview = (args: ReadonlyArray<string>): boolean => {
  const [first, ...others] = args.slice(2)
  return first === undefined || (others.length === 0 && ["--help", "-h", "help"].includes(first))
}

/**
 * The page that the command line asks for: by `token create --help`, `help token`, or a group's name alone. Fails for a
 * misspelt subcommand with the nearest one.
 */
export const pageFor = (
  args: ReadonlyArray<string>,
  pages: (name: string, isOfGroups: boolean) => Promise<ReadonlyArray<Page>>
): Effect.Effect<Option.Option<Page>, UsageError> => {
  const words = args.slice(2)
  const wantsHelp = words[0] === "help" || words.some((word) => word === "--help" || word === "-h")
  const named = words.filter((word) => !HELP.has(word))
  const [first, second] = named.filter((word) => !word.startsWith("-"))
  // Making pages takes time, so it is skipped unless help is asked for.
  if (first === undefined || (!wantsHelp && words.length > 1)) return Effect.succeedNone
  return Effect.gen(function* () {
    const all = yield* Effect.promise(() => pages(first, !wantsHelp))
    const page = all.find(({ path }) => path === first)
    const names = page?.children.map(({ path }) => path.slice(first.length + 1)) ?? []
    const wrong = wrongSubcommand(named, names)
    if (wrong !== undefined) return yield* usage(wrong)
    const child = page?.children.find(({ path }) => path === `${first} ${second}`)
    return Option.filter(
      Option.fromNullable(child ?? page),
      ({ children }) => wantsHelp || children.length > 0
    )
  })
}

/** The words that ask for help. */
const HELP: ReadonlySet<string> = new Set(["help", "--help", "-h"])
