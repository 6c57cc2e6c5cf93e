// Feeds systemd's watchdog from the main event loop: systemd restarts a server whose loop is stuck.
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Config from "../../Config.ts"

/** Feeds the watchdog at once, and then twice within its interval. Does nothing without a watchdog. */
export const fed = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    Effect.orDie(Config.watchdog(process.pid)),
    Option.match({
      onNone: () => self,
      onSome: ({ socket, withinMs }) =>
        Effect.scoped(Effect.zipRight(Effect.forkScoped(feeding(socket, withinMs / 2)), self))
    })
  )

const feeding = (socket: string, everyMs: number) => {
  let isNotified = false
  return feed(socket, everyMs).pipe(
    Effect.catchAll((cause) => {
      if (isNotified) return Effect.void
      isNotified = true
      return Effect.logError(
        "systemd-notify cannot be run, so systemd will restart the server as if it were stuck: remove WatchdogSec from the unit",
        cause
      )
    }),
    Effect.repeat(Schedule.spaced(Duration.millis(everyMs)))
  )
}

/** Bun has no unix datagrams, so systemd-notify sends the message. It gets only these two variables. */
const feed = (socket: string, timeoutMs: number) =>
  Effect.tryPromise(async () => {
    const path = process.env["PATH"] ?? "/usr/bin:/bin"
    const env = { NOTIFY_SOCKET: socket, PATH: path }
    const child = Bun.spawn(["systemd-notify", "WATCHDOG=1"], {
      env,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      timeout: timeoutMs
    })
    if ((await child.exited) !== 0) throw new Error(`systemd-notify ended with ${child.exitCode}`)
  })
