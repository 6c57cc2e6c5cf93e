import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Family } from "./Exposition.ts"

/** Who wants to be given all metrics now and then, for as long as the server runs; nobody, unless it is said. */
export class MetricsSink extends Context.Reference<MetricsSink>()("signalbox/http/metrics/MetricsSink", {
  defaultValue: (): {
    readonly follow: ((families: Effect.Effect<ReadonlyArray<Family>>) => Effect.Effect<void>) | undefined
  } => ({ follow: undefined })
}) {}
