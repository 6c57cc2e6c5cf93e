// Errors that reach nobody who waits for them, as from within a library. The runtime would end the process for one at
// once, with every stop loss in it and without giving its bots back.
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"

/** Something threw where nothing could catch it: exit code 1. */
class Broken extends Data.TaggedError("Broken")<{ readonly message: string }> {}

const BROKEN = "an error that nothing caught (the log says which) stopped this server: start it again"

/**
 * Runs a server that goes on where a promise fails that nobody waits for, and stops in good order where something throws
 * that nothing catches. Both are logged.
 */
export const logged = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | Broken, R> =>
  Effect.gen(function* () {
    const run = Runtime.runFork(yield* Effect.runtime<never>())
    const broken = yield* Deferred.make<never, Broken>()
    process.on("unhandledRejection", (reason) => {
      run(Effect.logError("a promise failed that nobody waited for; the server goes on", Cause.die(reason)))
    })
    process.on("uncaughtException", (error) => {
      run(
        Effect.zipRight(
          Effect.logFatal("an error that nothing caught; the server stops", Cause.die(error)),
          Deferred.fail(broken, new Broken({ message: BROKEN }))
        )
      )
    })
    return yield* Effect.raceFirst(self, Deferred.await(broken))
  })
