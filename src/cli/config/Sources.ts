// The sources of settings besides the command line: the environment, then the configuration file.
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SETTINGS } from "../../Config.ts"
import { VARIABLE as MASTER_KEY } from "../../vault/Sources.ts"
import { usage } from "../program/usage.ts"
import { refuseBoth, warnOfPassword } from "./database.ts"
import * as File from "./File.ts"

/** The environment and the configuration file; the environment wins. */
export class Sources extends Context.Tag("signalbox/cli/config/Sources")<
  Sources,
  { readonly environment: ReadonlyMap<string, string>; readonly file: Option.Option<File.File> }
>() {}

/** Runs a command line with its settings. `--config FILE` may stand anywhere, and is removed from the arguments. */
export const withSources = <A, E, R>(
  args: ReadonlyArray<string>,
  run: (args: ReadonlyArray<string>) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const { named, rest } = yield* split(args)
    const file = UNSET.has(rest[2] ?? "") ? Option.none() : yield* File.find(named)
    const all = Object.entries(process.env).flatMap(([name, value]) =>
      value ? [[name, value] as const] : []
    )
    // Only the vault reads the master key, and only the pool the address: children, threads and lists go without them.
    delete process.env[MASTER_KEY]
    delete process.env[SETTINGS.database.variable]
    const environment = new Map(all.filter(([name]) => name !== MASTER_KEY))
    const values = new Map([
      ...Option.match(file, { onNone: () => [], onSome: ({ values }) => values }),
      ...all
    ])
    yield* refuseBoth(rest, values)
    yield* warnOfPassword(rest)
    return yield* run(rest).pipe(
      Effect.provideService(Sources, { environment, file }),
      // Keys are variable names, split at "_", as code that reads nested names expects.
      Effect.withConfigProvider(ConfigProvider.fromMap(values, { pathDelim: "_", seqDelim: "," }))
    )
  })

/** Commands that need no settings run even if the file is broken. */
const UNSET: ReadonlySet<string> = new Set(["completions", "service", "--version"])

const split = (args: ReadonlyArray<string>) => {
  const at = args.findIndex((word) => word === "--config" || word.startsWith("--config="))
  const word = args[at]
  if (word === undefined) return Effect.succeed({ named: Option.none<string>(), rest: args })
  const isOne = word !== "--config"
  const named = isOne ? word.slice("--config=".length) : (args[at + 1] ?? "")
  if (named === "") return usage("--config takes a file")
  const rest = [...args.slice(0, at), ...args.slice(at + (isOne ? 1 : 2))]
  return Effect.succeed({ named: Option.some(named), rest })
}
