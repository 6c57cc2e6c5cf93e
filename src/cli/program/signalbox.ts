// Runs one command line: prints help if that is asked for, else loads the settings and then only the command that was
// called.
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as Descriptor from "@effect/cli/CommandDescriptor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as BunRuntime from "@effect/platform-bun/BunRuntime"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { own, Program } from "../../backtests/Program.ts"
import { withSources } from "../config/Sources.ts"
import { plainWhenPiped } from "./colours.ts"
import { COMMANDS, called, pages } from "./commands.ts"
import { compileReadily } from "./compiler.ts"
import { complain, teardown } from "./ending.ts"
import type { Page } from "./help/Page.ts"
import { asksForOverview, overview, pageFor } from "./help.ts"
import * as Logs from "./logs.ts"
import { wrongCommand, wrongSubcommand } from "./nearest.ts"
import * as Progress from "./progress.ts"
import * as Questions from "./questions.ts"
import { usage } from "./usage.ts"
import { version } from "./version.ts"

/** Runs a command line and sets the exit code (see ending.ts). */
export const run = (args: ReadonlyArray<string>): void =>
  (asksForOverview(args) ? showOverview : answer(args)).pipe(
    Progress.ofDatabases(args.includes("--json")),
    Effect.catchAllCause(complain),
    plainWhenPiped,
    Effect.provide(surroundings),
    BunRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true, teardown: teardown() })
  )

const showOverview = Console.log(overview(COMMANDS))

const answer = (args: ReadonlyArray<string>) => {
  const words = args.slice(2)
  const wrong = words[0] === "help" ? undefined : wrongCommand(words, NAMES)
  return wrong === undefined ? answered(args) : usage(wrong)
}

const NAMES = COMMANDS.map(({ name }) => name)

const answered = (args: ReadonlyArray<string>) =>
  Effect.flatMap(pageFor(args, pages), Option.match({ onNone: () => withSources(args, obey), onSome: show }))

const show = (page: Page) =>
  Effect.flatMap(
    Effect.promise(() => import("./help/render.ts")),
    ({ render }) => Console.log(render(page))
  )

const obey = (args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    // `serve` switches the compiler later, once it listens: it is ready sooner that way.
    if (args[2] !== "serve") yield* compileReadily
    if (args[2] === "account") yield* withoutKeys(args)
    const words = args.slice(2)
    const commands = yield* Effect.promise(() => called(words))
    for (const { descriptor } of commands) {
      const isCalled = HashSet.has(Descriptor.getNames(descriptor), words[0] ?? "")
      const wrong = isCalled ? wrongSubcommand(words, subcommandsOf(descriptor)) : undefined
      if (wrong !== undefined) return yield* usage(wrong)
    }
    const signalbox = Command.make("signalbox").pipe(
      Command.withDescription("A trading automation server: alerts in, explained trades out."),
      Command.withSubcommands(commands)
    )
    return yield* Command.run(signalbox, { name: "signalbox", version })(args)
  })

/** The names beneath a command; none of one without any, which the library lists as its own. */
const subcommandsOf = (descriptor: Descriptor.Command<unknown>): ReadonlyArray<string> => {
  const own = Descriptor.getNames(descriptor)
  return Array.from(Descriptor.getSubcommands(descriptor), ([name]) => name).filter(
    (name) => !HashSet.has(own, name)
  )
}

const withoutKeys = (args: ReadonlyArray<string>) =>
  Effect.flatMap(
    Effect.promise(() => import("../account/arguments.ts")),
    ({ refuseSecrets }) => refuseSecrets(args)
  )

/** Only the services that the command-line library uses: Bun's whole context would start slower. */
const surroundings = Layer.suspend(() =>
  Layer.mergeAll(
    FileSystem.layerNoop({}),
    Path.layer,
    Questions.layer,
    Layer.succeed(Program, own()),
    CliConfig.layer({ showBuiltIns: false }),
    Layer.setTracerEnabled(false),
    Logs.layer
  )
)
