// The environment variables of OpenTelemetry that this program reads. They keep OpenTelemetry's names and defaults,
// and have no `SIGNALBOX_` twin.
import * as Config from "effect/Config"
import * as Option from "effect/Option"

/** All of them that are set, by name. */
export const variables: Config.Config<Readonly<Record<string, string | undefined>>> = Config.map(
  Config.all(
    [
      "OTEL_SDK_DISABLED",
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
      "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
      "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT",
      "OTEL_EXPORTER_OTLP_HEADERS",
      "OTEL_EXPORTER_OTLP_PROTOCOL",
      "OTEL_EXPORTER_OTLP_TIMEOUT",
      "OTEL_TRACES_EXPORTER",
      "OTEL_METRICS_EXPORTER",
      "OTEL_LOGS_EXPORTER",
      "OTEL_TRACES_SAMPLER",
      "OTEL_TRACES_SAMPLER_ARG",
      "OTEL_SERVICE_NAME",
      "OTEL_RESOURCE_ATTRIBUTES",
      "OTEL_METRIC_EXPORT_INTERVAL",
      "OTEL_BSP_SCHEDULE_DELAY"
    ].map((name) =>
      Config.map(
        Config.option(Config.nonEmptyString(name)),
        (value) => [name, Option.getOrUndefined(value)] as const
      )
    )
  ),
  Object.fromEntries
)
