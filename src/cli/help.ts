import * as Effect from "effect/Effect"
import { columns } from "./table.ts"
import { version } from "./version.ts"

/** A command's name and what it is for. */
export interface Entry {
  readonly name: string
  readonly description: string
}

/** What somebody sees who asks for nothing in particular. */
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
    "signalbox COMMAND --help tells more of one. New here? signalbox demo"
  ].join("\n")

/** Whether the command line asks for the overview, and nothing else. */
export const asksForOverview = (args: ReadonlyArray<string>): boolean => {
  const [first, ...others] = args.slice(2)
  return first === undefined || (others.length === 0 && ["--help", "-h", "help"].includes(first))
}

/** Leaves out the terminal's colour codes where what is printed goes to a file or another program. */
export const plainWhenPiped = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  process.stdout.isTTY
    ? program
    : Effect.consoleWith((console) =>
        Effect.withConsole(program, {
          ...console,
          log: (...parts) => console.log(...parts.map(plain)),
          error: (...parts) => console.error(...parts.map(plain))
        })
      )

const plain = (part: unknown): unknown => (typeof part === "string" ? Bun.stripANSI(part) : part)
