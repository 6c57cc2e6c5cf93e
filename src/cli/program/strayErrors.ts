// Errors that nothing catches, such as one within a library. The runtime would end the process at once: nobody would watch
// its stop losses until somebody starts it again.
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { endWithin, isStopping } from "./ending.ts"

/** The longest that the stop may take after such an error (ms): what it waits for may be what has failed. */
const MOST_MS = 30_000
/** How often promises that failed are logged (ms). */
const SAID_MS = 60_000

/**
 * Runs a server that goes on where a promise fails that nobody waits for, and stops in good order, with exit code 1, where
 * something throws that nothing catches. Both are logged.
 */
export const logged = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.zipRight(handled, self)

const handled = Effect.map(Effect.runtime<never>(), (runtime) => {
  const run = Runtime.runFork(runtime)
  const say = sayings()
  process.on("unhandledRejection", (reason) => {
    const words = say()
    if (words !== undefined) run(Effect.logError(words, Cause.die(reason)))
  })
  process.on("uncaughtException", (error) => {
    // The stop has begun: another one changes nothing.
    if (process.exitCode === 1) return
    process.exitCode = 1
    endWithin(MOST_MS)
    const report = Effect.logFatal(
      "an error that nothing caught: the server stops, start it again",
      Cause.die(error)
    )
    run(Effect.ensuring(report, stop))
  })
})

/** As a signal would: a second one would kill. */
const stop = Effect.sync(() => {
  if (!isStopping()) process.kill(process.pid, "SIGTERM")
})

/** Makes the words of the next line of the log. There are none, only a count, within a minute after the last line. */
const sayings = () => {
  let unsaid = 0
  let saidAt = Number.NEGATIVE_INFINITY
  return (): string | undefined => {
    if (performance.now() - saidAt < SAID_MS) {
      unsaid++
      return undefined
    }
    const more = unsaid === 0 ? "" : `, and ${unsaid} others since the last such line`
    saidAt = performance.now()
    unsaid = 0
    return `a promise failed that nobody waited for${more}; the server goes on`
  }
}
