// `signalbox health`: asks the server on this machine whether it is ready, for scripts and containers.
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Config from "../Config.ts"
import { option } from "./config/options.ts"
import { serverAt } from "./doctor/port.ts"
import { json } from "./program/shared.ts"

/** The server is not ready: exit code 1. */
class NotReady extends Data.TaggedError("NotReady")<{ readonly message: string }> {}

export const health = Command.make(
  "health",
  { host: option(Config.SETTINGS.host), port: option(Config.SETTINGS.port), json },
  ({ host, json, port }) =>
    Effect.gen(function* () {
      const { status, url } = yield* serverAt({ host, port }, "/readyz")
      const ready = status === 200
      if (json) yield* Console.log(JSON.stringify({ url, ready }))
      else if (ready) yield* Console.log(`The server on ${url} is ready.`)
      if (ready) return
      const why = status === 0 ? "gives no answer" : `answers, but is not ready (${status})`
      return yield* new NotReady({ message: `the server on ${url} ${why}` })
    })
).pipe(
  Command.withDescription("ask the server on this machine whether it is ready; exit code 0 if so, else 1")
)
