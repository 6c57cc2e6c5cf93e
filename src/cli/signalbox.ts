import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import * as BunContext from "@effect/platform-bun/BunContext"
import * as BunRuntime from "@effect/platform-bun/BunRuntime"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import { demo } from "./demo.ts"
import { exchange } from "./exchange.ts"
import { market } from "./market.ts"
import { serve } from "./serve.ts"
import { UsageError } from "./shared.ts"
import { token } from "./token.ts"
import { version } from "./version.ts"

const signalbox = Command.make("signalbox").pipe(
  Command.withDescription("A trading automation server: alerts in, explained trades out."),
  Command.withSubcommands([serve, demo, token, exchange, market])
)

/** Runs one command. Exit codes: 0 done, 1 failed, 2 not understood. */
export const run = (args: ReadonlyArray<string>): void =>
  Command.run(signalbox, { name: "signalbox", version })(args).pipe(
    Effect.catchAllCause(complain),
    Effect.provide(Layer.mergeAll(BunContext.layer, CliConfig.layer({ showBuiltIns: false }), quiet)),
    BunRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
  )

/** Logs go to standard error as lines of JSON, so that standard output holds what was asked for and nothing else. */
const quiet = Layer.merge(
  Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.jsonLogger)),
  Logger.minimumLogLevel(LogLevel.Info)
)

/** A failure is one line; a defect is logged with all that is known of it. */
const complain = (cause: Cause.Cause<unknown>) =>
  Effect.gen(function* () {
    if (Cause.isInterruptedOnly(cause)) return
    const failure = Option.getOrUndefined(Cause.failureOption(cause))
    if (failure === undefined) yield* Effect.logFatal("the command failed", cause)
    // The library has printed what was wrong with the command line, and the help, already.
    else if (!ValidationError.isValidationError(failure))
      yield* Console.error(`signalbox: ${messageOf(failure)}`)
    yield* Effect.sync(() => {
      process.exitCode = ValidationError.isValidationError(failure) || failure instanceof UsageError ? 2 : 1
    })
  })

const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure))
