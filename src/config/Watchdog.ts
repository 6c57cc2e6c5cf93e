// Reads systemd's watchdog settings from the environment (sd_watchdog_enabled(3)).
import * as Config from "effect/Config"
import * as Option from "effect/Option"
import { variable } from "./Setting.ts"

/** The watchdog's socket, and the time within which the process `pid` must feed it (ms); none if it has no watchdog. */
export const watchdog = (pid: number): Config.Config<Option.Option<{ socket: string; withinMs: number }>> =>
  Config.all({
    socket: Config.option(variable("NOTIFY_SOCKET")),
    micros: Config.option(variable("WATCHDOG_USEC")),
    whose: Config.option(variable("WATCHDOG_PID"))
  }).pipe(
    Config.map(({ micros, socket, whose }) => {
      const withinMs = Number(Option.getOrElse(micros, () => "0")) / 1000
      const isOurs = Option.isNone(whose) || whose.value === `${pid}`
      return Option.filterMap(socket, (socket) =>
        isOurs && withinMs > 0 ? Option.some({ socket, withinMs }) : Option.none()
      )
    })
  )
