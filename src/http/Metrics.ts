import type { FeedHealth } from "../services/Tickers.ts"
import type { Family } from "./Exposition.ts"

/** What is read of a running server to make its metrics. */
export interface Readings {
  readonly prices: ReadonlyArray<FeedHealth>
  /** Alerts ever stored. */
  readonly alerts: number
  /** When the process began (ms since the epoch). */
  readonly startedAt: number
  /** Memory that the process takes up; unknown where nobody can tell. */
  readonly residentBytes: number | undefined
}

/** Every metric of the server. Labels are few and known beforehand: the seven exchanges, and nothing that people name. */
export const families = (readings: Readings): ReadonlyArray<Family> => [
  ...prices(readings.prices),
  counter("signalbox_alerts_stored_total", "Alerts that were ever stored.", [{ value: readings.alerts }]),
  gauge("process_start_time_seconds", "When the process began, in seconds since the epoch.", [
    { value: readings.startedAt / 1000 }
  ]),
  gauge(
    "process_resident_memory_bytes",
    "Memory that the process takes up.",
    readings.residentBytes === undefined ? [] : [{ value: readings.residentBytes }]
  )
]

const prices = (exchanges: ReadonlyArray<FeedHealth>): ReadonlyArray<Family> => {
  const each = (valueOf: (health: FeedHealth) => number) =>
    exchanges.map((health) => ({ labels: { exchange: health.exchange }, value: valueOf(health) }))
  return [
    gauge(
      "signalbox_prices_up",
      "Whether prices of an exchange come in, by stream or by polling.",
      each(({ state }) => (state === "streaming" || state === "polling" ? 1 : 0))
    ),
    gauge(
      "signalbox_prices_streaming",
      "Whether they come in by stream.",
      each(({ state }) => (state === "streaming" ? 1 : 0))
    ),
    gauge(
      "signalbox_prices_markets",
      "Markets whose prices are needed.",
      each(({ markets }) => markets)
    ),
    gauge(
      "signalbox_prices_stale",
      "Markets whose prices are needed and that have no fresh one.",
      each(({ stale }) => stale)
    ),
    counter(
      "signalbox_prices_reconnects_total",
      "How often streams were opened anew.",
      each(({ reconnects }) => reconnects)
    ),
    counter(
      "signalbox_quotes_accepted_total",
      "Quotes that were handed to the bots.",
      each(({ quotes }) => quotes.accepted)
    ),
    counter(
      "signalbox_quotes_held_back_total",
      "Quotes too far off to be believed before a second one.",
      each(({ quotes }) => quotes.held)
    ),
    counter(
      "signalbox_quotes_dropped_total",
      "Quotes that were no price: zero, negative, not finite or crossed.",
      each(({ quotes }) => quotes.dropped)
    )
  ]
}

const gauge = (name: string, help: string, samples: Family["samples"]): Family => ({
  name,
  type: "gauge",
  help,
  samples
})
const counter = (name: string, help: string, samples: Family["samples"]): Family => ({
  name,
  type: "counter",
  help,
  samples
})
