// Ends a command: prints one line on standard error for a failure, and sets the exit code (0 done, 1 failed, 2 bad
// usage, 130 or 143 stopped by a signal).
import * as ValidationError from "@effect/cli/ValidationError"
import type { Teardown } from "@effect/platform/Runtime"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { SettingRefused } from "../../domain/requests/SettingRefused.ts"
import { UsageError } from "./usage.ts"

/** Prints a failure as one line, and logs a defect in full. */
export const complain = (cause: Cause.Cause<unknown>) =>
  Effect.gen(function* () {
    if (Cause.isInterruptedOnly(cause)) return
    const failure = Option.getOrUndefined(Cause.failureOption(cause))
    if (failure === undefined) yield* Effect.logFatal("the command failed", cause)
    // The library has already printed its error.
    else if (ValidationError.isValidationError(failure)) {
      yield* Console.error("signalbox: add --help after the command to see its options")
    } else yield* Console.error(`signalbox: ${messageOf(failure)}`)
    yield* endWith(isMisuse(failure) ? 2 : 1)
  })

/** Whether the command line or a setting is at fault; trying again cannot help. */
const isMisuse = (failure: unknown): boolean =>
  ValidationError.isValidationError(failure) ||
  failure instanceof UsageError ||
  failure instanceof SettingRefused

const endWith = (code: number) =>
  Effect.sync(() => {
    process.exitCode = code
  })

/**
 * For a command that runs until it is stopped: then being stopped is a success, unless something failed while it stopped,
 * which is logged.
 */
export const untilSignalled = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.onExit(self, (exit) => {
    // A failure interrupts what ran beside it, too: that is no stop.
    if (Exit.isSuccess(exit) || stoppedBy === undefined) return Effect.void
    if (Cause.isInterruptedOnly(exit.cause)) return endWith(Number(process.exitCode ?? 0))
    return Effect.zipRight(Effect.logError("the stop was not in good order", exit.cause), endWith(1))
  })

/** The exit codes that shells expect after a signal: 128 plus its number. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const

/** The signal that stops this process. */
let stoppedBy: keyof typeof SIGNALS | undefined

/** Whether a signal stops this process. */
export const isStopping = (): boolean => stoppedBy !== undefined

/** Ends the process. A command that a signal interrupted exits with the signal's code, unless it had finished. */
export const teardown = (): Teardown => {
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => {
      stoppedBy ??= name
    })
  }
  return (exit, onExit) => {
    if (Number(process.exitCode ?? 0) !== 0) endWithin(LINGER_MS)
    if (stoppedBy === undefined) return onExit(Exit.isSuccess(exit) ? 0 : 1)
    onExit(Number(process.exitCode ?? (Exit.isSuccess(exit) ? 0 : SIGNALS[stoppedBy])))
  }
}

/** How long a failed command has for its last output (ms). Without an end, a timer that it has left behind would keep it. */
const LINGER_MS = 10_000

/** Ends the process after so long (ms), unless it ends before. */
export const endWithin = (ms: number): void => void setTimeout(() => process.exit(), ms).unref()

const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure))
