// Parsing of OpenTelemetry's variables.
import { expect, test } from "bun:test"
import { Either, Redacted } from "effect"
import { parse, type Settings } from "../../src/otlp/Settings.ts"

const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318/" }
const read = (variables: Record<string, string>): Settings =>
  Either.getOrThrowWith(parse({ ...BASE, ...variables }, "1.2.3"), (flaw) => new Error(flaw))

test("one endpoint serves all signals, with OpenTelemetry's defaults", () => {
  const { headers, ...settings } = read({})
  expect(settings).toEqual({
    resource: { "service.name": "signalbox", "service.version": "1.2.3" },
    timeoutMs: 10_000,
    traces: { url: "http://c:4318/v1/traces", ratio: 1 },
    metrics: { url: "http://c:4318/v1/metrics", everyMs: 60_000 },
    logs: { url: "http://c:4318/v1/logs" },
    gatherMs: 5_000
  })
  expect(Redacted.value(headers)).toEqual({})
})

test("a signal's own endpoint is used as it is, and a signal that is switched off is not sent", () => {
  expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://t/x" })).toMatchObject({
    traces: { url: "https://t/x" },
    logs: { url: "http://c:4318/v1/logs" }
  })
  expect(read({ OTEL_TRACES_EXPORTER: "none", OTEL_LOGS_EXPORTER: "console" })).toMatchObject({
    traces: undefined,
    logs: undefined,
    metrics: { url: "http://c:4318/v1/metrics" }
  })
  expect(read({ OTEL_SDK_DISABLED: "true" })).toMatchObject({
    traces: undefined,
    logs: undefined,
    metrics: undefined
  })
})

test("names, headers, times and samplers are read from their variables", () => {
  const settings = read({
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=home%20lab, service.name=a,service.version=9",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20abc=",
    OTEL_METRIC_EXPORT_INTERVAL: "500",
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.25"
  })
  expect(settings.resource).toEqual({
    "deployment.environment.name": "home lab",
    "service.name": "a",
    "service.version": "9"
  })
  expect(Redacted.value(settings.headers)).toEqual({ authorization: "Basic abc=" })
  expect(JSON.stringify(settings)).not.toContain("abc")
  expect(settings.metrics?.everyMs).toBe(500)
  expect(settings.traces?.ratio).toBe(0.25)
  expect(read({ OTEL_SERVICE_NAME: "b", OTEL_RESOURCE_ATTRIBUTES: "service.name=a" }).resource).toMatchObject(
    {
      "service.name": "b"
    }
  )
  expect(read({ OTEL_TRACES_SAMPLER: "always_off" }).traces?.ratio).toBe(0)
})

test.each([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "takes http/json"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "secret:4318" }, "is no http or https address"],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "secret" }, "take name=value"],
  [{ OTEL_EXPORTER_OTLP_HEADERS: "a=secret%" }, "take name=value"],
  [{ OTEL_TRACES_SAMPLER: "secret" }, "takes always_on"],
  [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" }, "takes always_on"]
] satisfies ReadonlyArray<[Record<string, string>, string]>)(
  "%j is refused without repeating its value",
  (variables, words) => {
    const flaw = Either.getOrThrow(Either.flip(parse({ ...BASE, ...variables }, "1")))
    expect(flaw).toContain(words)
    expect(flaw).not.toContain("secret")
  }
)
