// Telemetry as OpenTelemetry's variables ask for it: nothing of it is loaded before one of them does.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Variables from "./Variables.ts"

/** Sends traces, metrics and logs; `version` is the program's. */
export const layer = (version: string) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const variables = yield* Variables.variables
      if (!Object.keys(variables).some((name) => name.endsWith("_ENDPOINT") && variables[name]))
        return Layer.empty
      const Settings = yield* Effect.promise(() => import("./Settings.ts"))
      const settings = Settings.parse(variables, version)
      if (Either.isRight(settings))
        return (yield* Effect.promise(() => import("./Otlp.ts"))).layer(settings.right)
      // Nobody's trades are to stop for want of a trace.
      yield* Effect.logError(`no telemetry is sent: ${settings.left}`)
      return Layer.empty
    })
  )
