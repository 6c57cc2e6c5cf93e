// The hook for a push exporter of metrics (OTLP); without one, metrics are only served.
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Family } from "./Exposition.ts"

/** `follow` runs with access to all metrics for as long as the server runs; undefined where nothing is pushed. */
export class MetricsSink extends Context.Reference<MetricsSink>()("signalbox/http/metrics/MetricsSink", {
  defaultValue: (): {
    readonly follow: ((families: Effect.Effect<ReadonlyArray<Family>>) => Effect.Effect<void>) | undefined
  } => ({ follow: undefined })
}) {}
