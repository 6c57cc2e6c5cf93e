import * as ValidationError from "@effect/cli/ValidationError"
import type { Teardown } from "@effect/platform/Runtime"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { SettingRefused } from "../../domain/requests/SettingRefused.ts"
import { UsageError } from "./usage.ts"

/** A failure is one line; a defect is logged with all that is known of it. */
export const complain = (cause: Cause.Cause<unknown>) =>
  Effect.gen(function* () {
    if (Cause.isInterruptedOnly(cause)) return
    const failure = Option.getOrUndefined(Cause.failureOption(cause))
    if (failure === undefined) yield* Effect.logFatal("the command failed", cause)
    // The library has printed what was wrong with the command line already.
    else if (ValidationError.isValidationError(failure)) {
      yield* Console.error("signalbox: --help after the command tells what it takes")
    } else yield* Console.error(`signalbox: ${messageOf(failure)}`)
    yield* endWith(isMisuse(failure) ? 2 : 1)
  })

/** What was asked for cannot be done by anybody: it has to be asked for in other words. */
const isMisuse = (failure: unknown): boolean =>
  ValidationError.isValidationError(failure) ||
  failure instanceof UsageError ||
  failure instanceof SettingRefused

const endWith = (code: number) =>
  Effect.sync(() => {
    process.exitCode = code
  })

/** For what runs until it is told to stop: being told is then no failure. */
export const untilTold = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.onInterrupt(self, () => endWith(0))

/** What shells expect of a program that a signal stopped: 128 and its number. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const

/** Ends the process: a command that a signal cut short has not done its work, and says so by its exit code. */
export const teardown = (): Teardown => {
  let cutShort = 0
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => {
      cutShort ||= SIGNALS[name]
    })
  }
  return (exit, onExit) => {
    if (cutShort === 0) return onExit(Exit.isSuccess(exit) ? 0 : 1)
    onExit(Number(process.exitCode ?? (Exit.isSuccess(exit) ? 0 : cutShort)))
  }
}

const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure))
