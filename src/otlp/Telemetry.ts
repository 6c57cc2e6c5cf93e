// Sends telemetry if OpenTelemetry's variables name an endpoint; loads its modules only then.
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
      // A mistake in telemetry settings must not stop trading.
      yield* Effect.logError(`no telemetry is sent: ${settings.left}`)
      return Layer.empty
    })
  )
