// Feeds the watchdog of systemd from the main event loop: a server whose loop is held up is not fed, and started anew.
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Config from "../../Config.ts"

/** Runs with the watchdog fed, where systemd asked for that: at once, and twice within its time from then on. */
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
  let isTold = false
  return feed(socket, everyMs).pipe(
    Effect.catchAll((cause) => {
      if (isTold) return Effect.void
      isTold = true
      return Effect.logError(
        "systemd-notify cannot be run, so that systemd will take the server for stuck and start it anew: take WatchdogSec out of the unit",
        cause
      )
    }),
    Effect.repeat(Schedule.spaced(Duration.millis(everyMs)))
  )
}

/** Bun speaks no unix datagrams: systemd's own program does. It needs nothing of our environment but these two. */
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
