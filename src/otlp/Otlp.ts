// Sends traces, metrics and logs to a collector by OTLP over HTTP, in JSON. Effect's exporters fit neither our span
// ids, which are derived, nor our counters, which are plain numbers.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as LogLevel from "effect/LogLevel"
import { MetricsSink } from "../http/metrics/MetricsSink.ts"
import { make as makeTracer, type Span, type Tracer, Tracing } from "../services/health/Tracing.ts"
import * as Json from "./Json.ts"
import { gathering, post } from "./Sender.ts"
import type { Settings } from "./Settings.ts"

/** A tracer, a metrics sink and a logger that send to the collector named in the settings. */
export const layer = (settings: Settings) =>
  Layer.unwrapScoped(
    Effect.map(start(settings), ({ follow, logger, tracer }) =>
      Layer.mergeAll(
        Layer.succeed(Tracing, { tracer }),
        Layer.succeed(MetricsSink, { follow }),
        logger === undefined ? Layer.empty : Logger.add(logger)
      )
    )
  )

const start = Effect.fnUntraced(function* (settings: Settings) {
  const { gatherMs, logs, metrics, resource, traces } = settings
  const tracer = traces === undefined ? undefined : yield* tracing(traces, settings)
  if (logs === undefined) return { tracer, logger: undefined, follow: following(metrics, settings) }
  const send = post("logs", logs.url, settings)
  const put = yield* gathering(gatherMs, (lines: ReadonlyArray<Json.LogLine>) =>
    send(Json.logs(resource, lines))
  )
  return {
    tracer,
    logger: Logger.make((entry) => put(lineOf(entry, tracer))),
    follow: following(metrics, settings)
  }
})

const tracing = Effect.fnUntraced(function* (
  { ratio, url }: NonNullable<Settings["traces"]>,
  settings: Settings
) {
  const send = post("traces", url, settings)
  const put = yield* gathering(settings.gatherMs, (spans: ReadonlyArray<Span>) =>
    send(Json.traces(settings.resource, spans))
  )
  return yield* makeTracer((span) => {
    if (isSampled(span.id.traceId, ratio)) put(span)
  })
})

/** Decides by the trace's id alone, so that a trace is kept whole or not at all. */
const isSampled = (traceId: string, ratio: number): boolean =>
  ratio === 1 || Number.parseInt(traceId.slice(-12), 16) < ratio * 2 ** 48

const following = (metrics: Settings["metrics"], settings: Settings): MetricsSink["Type"]["follow"] => {
  if (metrics === undefined) return undefined
  const send = post("metrics", metrics.url, settings)
  return (families) => {
    const once = Effect.flatMap(families, (all) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        send(Json.metrics(settings.resource, all, performance.timeOrigin, now))
      )
    )
    // Sends the last figures once more at the end. All of this runs in real time.
    return Effect.forever(Effect.zipRight(Effect.sleep(metrics.everyMs), once)).pipe(
      Effect.onInterrupt(() => Effect.ignore(Effect.timeout(once, "2 seconds"))),
      Effect.withClock(Clock.make())
    )
  }
}

const SEVERITY: Readonly<Partial<Record<LogLevel.LogLevel["_tag"], number>>> = {
  Trace: 1,
  Debug: 5,
  Info: 9,
  Warning: 13,
  Error: 17,
  Fatal: 21
}

/** A line of the log, with the trace of the alert or request that it concerns. */
const lineOf = (entry: Logger.Logger.Options<unknown>, tracer: Tracer | undefined): Json.LogLine => {
  const attributes: Record<string, string | number | boolean> = {}
  for (const [name, value] of HashMap.entries(entry.annotations))
    attributes[name] = typeof value === "number" || typeof value === "boolean" ? value : String(value)
  if (!Cause.isEmpty(entry.cause)) attributes["exception.stacktrace"] = Cause.pretty(entry.cause)
  const trace = traceOf(attributes, tracer)
  return {
    at: entry.date.getTime(),
    level: entry.logLevel.label,
    severity: SEVERITY[entry.logLevel._tag] ?? 0,
    text: (Array.isArray(entry.message) ? entry.message : [entry.message]).map(String).join(" "),
    attributes,
    ...(trace === undefined ? {} : { traceId: trace })
  }
}

const traceOf = (
  { alert_id, request_id }: Readonly<Record<string, string | number | boolean>>,
  tracer: Tracer | undefined
): string | undefined => {
  if (tracer === undefined) return undefined
  if (typeof alert_id === "number") return tracer.root("alert", alert_id).traceId
  return typeof request_id === "string" ? tracer.root("request", request_id).traceId : undefined
}
