// Reads what is sent and where from OpenTelemetry's own variables. An error names the variable but never its value,
// which may be a key.
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"

/** Telemetry settings. Times are in ms. */
export interface Settings {
  readonly resource: Readonly<Record<string, string>>
  /** Headers of every request; they may hold a key. */
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly timeoutMs: number
  readonly traces: { readonly url: string; readonly ratio: number } | undefined
  readonly metrics: { readonly url: string; readonly everyMs: number } | undefined
  readonly logs: { readonly url: string } | undefined
  /** How long spans and log lines are collected before they are sent. */
  readonly gatherMs: number
}

type Variables = Readonly<Record<string, string | undefined>>

/** Parses the variables; Left explains a value that cannot be used. */
export const parse = (variables: Variables, version: string): Either.Either<Settings, string> => {
  const protocol = variables["OTEL_EXPORTER_OTLP_PROTOCOL"] || "http/json"
  if (protocol !== "http/json")
    return Either.left("OTEL_EXPORTER_OTLP_PROTOCOL takes http/json, which every collector understands")
  const urls = {
    traces: urlOf(variables, "traces"),
    metrics: urlOf(variables, "metrics"),
    logs: urlOf(variables, "logs")
  }
  for (const [signal, url] of Object.entries(urls))
    if (url !== undefined && !/^https?:\/\//.test(url))
      return Either.left(`the OTLP endpoint for ${signal} is no http or https address`)
  const ratio = ratioOf(variables)
  if (ratio === undefined)
    return Either.left(
      "OTEL_TRACES_SAMPLER takes always_on, always_off or traceidratio, also with parentbased_ before it"
    )
  const headers = pairs(variables["OTEL_EXPORTER_OTLP_HEADERS"])
  const resource = pairs(variables["OTEL_RESOURCE_ATTRIBUTES"])
  if (headers === undefined || resource === undefined)
    return Either.left("OTEL_EXPORTER_OTLP_HEADERS and OTEL_RESOURCE_ATTRIBUTES take name=value,name=value")
  const name = variables["OTEL_SERVICE_NAME"] || resource["service.name"] || "signalbox"
  return Either.right({
    resource: { "service.version": version, ...resource, "service.name": name },
    headers: Redacted.make(headers),
    timeoutMs: milliseconds(variables["OTEL_EXPORTER_OTLP_TIMEOUT"], 10_000),
    traces: urls.traces === undefined ? undefined : { url: urls.traces, ratio },
    metrics:
      urls.metrics === undefined
        ? undefined
        : { url: urls.metrics, everyMs: milliseconds(variables["OTEL_METRIC_EXPORT_INTERVAL"], 60_000) },
    logs: urls.logs === undefined ? undefined : { url: urls.logs },
    gatherMs: milliseconds(variables["OTEL_BSP_SCHEDULE_DELAY"], 5_000)
  })
}

/** A signal's URL: its own variable as it stands, or a path under the common endpoint. */
const urlOf = (variables: Variables, signal: "traces" | "metrics" | "logs"): string | undefined => {
  const upper = signal.toUpperCase()
  if (variables["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return undefined
  if ((variables[`OTEL_${upper}_EXPORTER`] || "otlp") !== "otlp") return undefined
  const own = variables[`OTEL_EXPORTER_OTLP_${upper}_ENDPOINT`]
  if (own) return own
  const base = variables["OTEL_EXPORTER_OTLP_ENDPOINT"]
  return base ? `${base.replace(/\/+$/, "")}/v1/${signal}` : undefined
}

/** The fraction of traces to keep. */
const ratioOf = (variables: Variables): number | undefined => {
  const sampler = (variables["OTEL_TRACES_SAMPLER"] || "always_on").replace(/^parentbased_/, "")
  if (sampler === "always_on") return 1
  if (sampler === "always_off") return 0
  if (sampler !== "traceidratio") return undefined
  const ratio = Number(variables["OTEL_TRACES_SAMPLER_ARG"] || 1)
  return ratio >= 0 && ratio <= 1 ? ratio : undefined
}

/** Parses `name=value,name=value`, percent-encoded like W3C baggage. */
const pairs = (text = ""): Readonly<Record<string, string>> | undefined => {
  const found: Record<string, string> = {}
  for (const part of text.split(",").filter((part) => part.trim() !== "")) {
    const mark = part.indexOf("=")
    if (mark < 1) return undefined
    try {
      found[part.slice(0, mark).trim()] = decodeURIComponent(part.slice(mark + 1).trim())
    } catch {
      return undefined
    }
  }
  return found
}

const milliseconds = (text: string | undefined, fallback: number): number => {
  const value = Number(text || fallback)
  return value > 0 ? value : fallback
}
