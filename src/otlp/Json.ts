// Writes traces, logs and metrics as OTLP's JSON (opentelemetry-proto 1.x): ids in hexadecimal, 64-bit integers as
// text.
import type { Distribution, Family } from "../http/metrics/Exposition.ts"
import type { Span } from "../services/health/Tracing.ts"

/** One line of the log. `at` is in ms since the epoch. */
export interface LogLine {
  readonly at: number
  readonly level: string
  readonly severity: number
  readonly text: string
  readonly attributes: Readonly<Record<string, Value>>
  readonly traceId?: string
}

type Value = string | number | boolean
type Attributes = Readonly<Record<string, Value>>

/** A request body with spans. */
export const traces = (resource: Attributes, spans: ReadonlyArray<Span>) => ({
  resourceSpans: [
    {
      resource: { attributes: attributes(resource) },
      scopeSpans: [{ scope: SCOPE, spans: spans.map(spanOf) }]
    }
  ]
})

export const logs = (resource: Attributes, lines: ReadonlyArray<LogLine>) => ({
  resourceLogs: [
    {
      resource: { attributes: attributes(resource) },
      scopeLogs: [{ scope: SCOPE, logRecords: lines.map(recordOf) }]
    }
  ]
})

/** Counts since `startedAt`, measured at `at` (both in ms since the epoch). */
export const metrics = (
  resource: Attributes,
  families: ReadonlyArray<Family>,
  startedAt: number,
  at: number
) => ({
  resourceMetrics: [
    {
      resource: { attributes: attributes(resource) },
      scopeMetrics: [
        { scope: SCOPE, metrics: families.map((family) => metricOf(family, nanos(startedAt), nanos(at))) }
      ]
    }
  ]
})

const SCOPE = { name: "signalbox" }

const KINDS = { internal: 1, server: 2, client: 3 } as const

const spanOf = (span: Span) => ({
  traceId: span.id.traceId,
  spanId: span.id.spanId,
  ...(span.parent === undefined ? {} : { parentSpanId: span.parent.spanId }),
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: nanos(span.startedAt),
  endTimeUnixNano: nanos(span.endedAt),
  attributes: attributes(span.attributes),
  ...(span.links === undefined ? {} : { links: span.links }),
  status: span.error === undefined ? {} : { code: 2, message: span.error }
})

const recordOf = ({ at, attributes: logged, level, severity, text, traceId }: LogLine) => ({
  timeUnixNano: nanos(at),
  observedTimeUnixNano: nanos(at),
  severityNumber: severity,
  severityText: level,
  body: { stringValue: text },
  attributes: attributes(logged),
  ...(traceId === undefined ? {} : { traceId })
})

const CUMULATIVE = 2

/** OpenTelemetry's name of a metric has no `_total`: Prometheus adds it to a sum. */
const metricOf = (family: Family, startTimeUnixNano: string, timeUnixNano: string) => {
  const { help, name } = family
  const times = { startTimeUnixNano, timeUnixNano }
  const common = { name: name.replace(/_total$/, ""), description: help, unit: unitOf(name) }
  if (family.type === "histogram") {
    const dataPoints = family.samples.map((sample) => ({ ...times, ...pointOf(sample) }))
    return { ...common, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } }
  }
  const dataPoints = family.samples.map(({ labels = {}, value }) => ({
    ...times,
    attributes: attributes(labels),
    asDouble: value
  }))
  return family.type === "gauge"
    ? { ...common, gauge: { dataPoints } }
    : { ...common, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }
}

const pointOf = ({ bounds, counts, labels = {}, sum }: Distribution) => ({
  attributes: attributes(labels),
  count: String(counts.reduce((one, other) => one + other, 0)),
  sum,
  bucketCounts: counts.map(String),
  explicitBounds: bounds
})

const unitOf = (name: string): string => {
  if (/_seconds(_total)?$/.test(name)) return "s"
  return /_bytes(_total)?$/.test(name) ? "By" : "1"
}

const attributes = (values: Attributes) =>
  Object.entries(values).map(([key, value]) => ({ key, value: valueOf(key, value) }))

/**
 * Only ids and codes are integers. A price is always a double, also when its value is whole, because an attribute may
 * have only one type.
 */
const WHOLE = /(?:[._]id|code)$/

const valueOf = (key: string, value: Value) => {
  switch (typeof value) {
    case "string":
      return { stringValue: value }
    case "boolean":
      return { boolValue: value }
    default:
      return WHOLE.test(key) ? { intValue: String(value) } : { doubleValue: value }
  }
}

/** Nanoseconds as text, because a number cannot hold them exactly. The clock's resolution is a microsecond. */
const nanos = (milliseconds: number): string => {
  const whole = Math.floor(milliseconds)
  const micros = Math.floor((milliseconds - whole) * 1000)
  return `${whole}${String(micros).padStart(3, "0")}000`
}
