// Counts, traces and logs every response. It names a request's route and never its address, since that may contain a
// key.
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as LogLevel from "effect/LogLevel"
import * as Runtime from "effect/Runtime"
import type { Door } from "../../domain/alert/Incoming.ts"
import { type Fate, Meters, type RouteMeter } from "../../services/health/Meters.ts"
import { type Span, type Tracer, Tracing } from "../../services/health/Tracing.ts"
import type { Appended } from "../../services/Journal.ts"
import type { RequestFacts } from "../request/Request.ts"

/** An answered request. `meter` is its route's; `startedAt` is on the clock of the meters. */
export interface Answered {
  readonly request: Request
  readonly id: RequestFacts["id"]
  readonly meter: RouteMeter
  readonly startedAt: number
  readonly response: Response
  /** For the alert doors: which one, and the result of a stored alert. */
  readonly door?: Door
  readonly appended?: Appended | undefined
}

/** Makes the witness. It traces where a tracer is configured, and logs at level debug. */
export const make = Effect.gen(function* () {
  const meters = yield* Meters
  const { tracer } = yield* Tracing
  const level = yield* FiberRef.get(FiberRef.currentMinimumLogLevel)
  const run = Runtime.runFork(yield* Effect.runtime<never>())
  const isLogged = LogLevel.lessThanEqual(level, LogLevel.Debug)
  const isQuiet = tracer === undefined && !isLogged

  return {
    now: meters.now,
    meters,
    see: (answered: Answered): void => {
      const { appended, door, meter, response, startedAt } = answered
      const endedAt = meters.now()
      meter.answered(response.status, endedAt - startedAt)
      if (door !== undefined) meters.doors[door].add(fateOf(response.status, appended))
      if (isQuiet) return
      if (tracer !== undefined) tracer.emit(spanOf(tracer, answered, endedAt))
      if (isLogged) run(log(answered, endedAt))
    }
  }
})

const fateOf = (status: number, appended: Appended | undefined): Fate => {
  if (appended !== undefined) return appended._tag === "Recorded" ? "recorded" : "repeat"
  switch (status) {
    case 401:
    case 403:
      return "unauthorized"
    case 429:
      return "limited"
    case 503:
      return "unavailable"
    default:
      return status >= 500 ? "failed" : "refused"
  }
}

/**
 * The span of a request. The one that stored an alert is the root of the alert's trace; every other has a trace of its
 * own.
 */
const spanOf = (tracer: Tracer, answered: Answered, endedAt: number): Span => {
  const { appended, id, meter, request, response, startedAt } = answered
  const isFirst = appended?._tag === "Recorded"
  const origin = linkOf(request.headers.get("traceparent"))
  const links = [
    ...(origin === undefined ? [] : [origin]),
    ...(appended === undefined || isFirst ? [] : [tracer.root("alert", appended.id)])
  ]
  return {
    id: isFirst ? tracer.root("alert", appended.id) : tracer.root("request", id),
    ...(links.length === 0 ? {} : { links }),
    name: `${meter.method} ${meter.route}`,
    kind: "server",
    startedAt,
    endedAt,
    attributes: {
      "http.request.method": meter.method,
      "http.route": meter.route,
      "http.response.status_code": response.status,
      "signalbox.request.id": id,
      ...(appended === undefined ? {} : { "signalbox.alert.id": appended.id })
    },
    ...(response.status >= 500 ? { error: `answered with ${response.status}` } : {})
  }
}

/** The caller's own span, from the W3C trace context header. */
const linkOf = (header: string | null) => {
  const [, traceId, spanId] = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(header ?? "") ?? []
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId }
}

const log = ({ appended, id, meter, response, startedAt }: Answered, endedAt: number) =>
  Effect.logDebug(`${meter.method} ${meter.route} ${response.status}`).pipe(
    Effect.annotateLogs({
      request_id: id,
      milliseconds: Math.round((endedAt - startedAt) * 1000) / 1000,
      ...(appended === undefined ? {} : { alert_id: appended.id, repeat: appended._tag === "Repeat" })
    })
  )
