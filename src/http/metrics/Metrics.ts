// Every metric of the server, with its help text. Labels are few and fixed, such as the exchanges, and never hold
// a name that somebody chose.
import * as Option from "effect/Option"
import { ACTED, IGNORED } from "../../domain/Alert.ts"
import { DOORS } from "../../domain/alert/Incoming.ts"
import type { Halt } from "../../domain/Halt.ts"
import { type EngineReading, FATES, type Histogram, type Measurements } from "../../services/health/Meters.ts"
import type { FeedHealth } from "../../services/Tickers.ts"
import * as ClusterMetrics from "./ClusterMetrics.ts"
import type { Distribution, Family, Plain } from "./Exposition.ts"
import * as RuleMetrics from "./RuleMetrics.ts"

/** The readings that metrics are made from. */
export interface Readings {
  readonly prices: ReadonlyArray<FeedHealth>
  /** Alerts ever stored. */
  readonly alerts: number
  /** When the process started (ms since the epoch). */
  readonly startedAt: number
  /** The counts since then. */
  readonly meters: Measurements
  /** The halts in force; undefined while they cannot be read. */
  readonly halts: ReadonlyArray<Halt> | undefined
  /** Whether alerts can be stored now. */
  readonly isWritable: boolean
  /** The runtime's own numbers; undefined where there are none. */
  readonly process: Process | undefined
  /** When the certificate expires (ms since the epoch); undefined without TLS. */
  readonly certificateEndsAt: number | undefined
}

export interface Process {
  readonly version: string
  readonly runtime: string
  /** The resident memory. */
  readonly residentBytes: number
  /** The CPU time used, in seconds. */
  readonly cpuSeconds: number
}

/** All metrics. */
export const families = (readings: Readings): ReadonlyArray<Family> => [
  ...prices(readings.prices),
  ...alerts(readings),
  ...engine(readings),
  ...live(readings),
  ...RuleMetrics.families(readings.meters.rules.reading()),
  ...ClusterMetrics.families(readings.meters.cluster.reading()),
  ...storage(readings),
  ...requests(readings.meters),
  ...itself(readings)
]

const alerts = ({ alerts, meters }: Readings): ReadonlyArray<Family> => [
  counter("signalbox_alerts_stored_total", "Alerts ever stored.", [{ value: alerts }]),
  counter(
    "signalbox_alerts_total",
    "Requests to the alert doors, by door and outcome.",
    DOORS.flatMap((door) =>
      FATES.map((outcome) => ({ labels: { door, outcome }, value: meters.doors[door].of(outcome) }))
    )
  ),
  counter("signalbox_outcomes_total", "Outcomes that strategies gave alerts, by reason.", [
    ...ACTED.map((reason) => outcome("acted", reason, meters)),
    ...IGNORED.map((reason) => outcome("ignored", reason, meters))
  ])
]

type Outcome = (typeof ACTED)[number] | (typeof IGNORED)[number]

const outcome = (outcome: string, reason: Outcome, { engine }: Measurements) => ({
  labels: { outcome, reason },
  value: engine.outcomes.of(reason)
})

const engine = ({ alerts, meters: { engine } }: Readings): ReadonlyArray<Family> => {
  const reading = engine.reading()
  const now = (value: (reading: EngineReading) => number) =>
    reading === undefined ? [] : [{ value: value(reading) }]
  return [
    gauge(
      "signalbox_bots",
      "Strategies with a bot.",
      now(({ bots }) => bots)
    ),
    gauge(
      "signalbox_positions_open",
      "Open positions.",
      now(({ positions }) => positions)
    ),
    gauge(
      "signalbox_orders_in_flight",
      "Orders that have not ended, resting take profits included.",
      now(({ ordersInFlight }) => ordersInFlight)
    ),
    gauge(
      "signalbox_alerts_waiting",
      "Alerts held for a price or the end of an order, counted for each strategy.",
      now(({ waitingAlerts }) => waitingAlerts)
    ),
    gauge(
      "signalbox_alerts_behind",
      "Stored alerts that the bots have not judged yet.",
      now(({ cursor }) => Math.max(0, alerts - cursor))
    ),
    counter("signalbox_engine_turns_total", "Turns of the engine.", [{ value: engine.turns }]),
    counter("signalbox_engine_prices_total", "Prices and candles handed to the engine.", [
      { value: engine.prices }
    ]),
    counter("signalbox_engine_steps_total", "Steps of bots stored.", [{ value: engine.steps }]),
    histogram("signalbox_engine_commit_duration_seconds", "Duration of commits of the bots' steps.", [
      distribution(engine.seconds)
    ]),
    counter(
      "signalbox_orders_total",
      "Orders placed, by purpose.",
      (["entry", "dca", "exit"] as const).map((purpose) => ({
        labels: { purpose },
        value: engine.orders.of(purpose)
      }))
    ),
    counter("signalbox_fills_total", "Fills of orders.", [{ value: engine.fills }]),
    counter("signalbox_trades_total", "Trades closed.", [{ value: engine.trades }])
  ]
}

const live = ({ halts, meters: { engine } }: Readings): ReadonlyArray<Family> => {
  const reading = engine.reading()
  const accounts = halts?.filter(({ account }) => Option.isSome(account)).length ?? 0
  return [
    gauge(
      "signalbox_halted",
      "Halts of entries in force: for everybody, and for single accounts.",
      halts === undefined
        ? []
        : [
            { labels: { scope: "everybody" }, value: halts.length - accounts },
            { labels: { scope: "account" }, value: accounts }
          ]
    ),
    gauge(
      "signalbox_armed_strategies",
      "Strategies that trade with real money, or still hold positions in it.",
      reading === undefined ? [] : [{ value: reading.armed }]
    ),
    gauge(
      "signalbox_strategies_set_aside",
      "Strategies whose bots are set aside until they have new settings.",
      reading === undefined ? [] : [{ value: reading.setAside.length }]
    ),
    gauge(
      "signalbox_orders_unknown",
      "Orders whose outcome is unknown: the exchange is asked again and again.",
      reading === undefined ? [] : [{ value: reading.ordersUnknown }]
    )
  ]
}

const storage = ({ isWritable, meters: { journal } }: Readings): ReadonlyArray<Family> => [
  gauge("signalbox_storage_writable", "Whether alerts can be stored.", [{ value: isWritable ? 1 : 0 }]),
  counter("signalbox_journal_failures_total", "Commits of alerts that failed.", [
    { value: journal.failures }
  ]),
  histogram("signalbox_journal_commit_duration_seconds", "Duration of commits of alerts.", [
    distribution(journal.seconds)
  ]),
  histogram("signalbox_journal_commit_alerts", "Alerts that shared a commit.", [distribution(journal.alerts)])
]

const requests = ({ routes }: Measurements): ReadonlyArray<Family> => {
  const meters = [...routes.values()].filter((meter) => CLASSES.some((digit) => meter.of(digit) > 0))
  return [
    counter(
      "signalbox_http_requests_total",
      "Requests by route, method and class of the response status.",
      meters.flatMap((meter) =>
        CLASSES.filter((digit) => meter.of(digit) > 0).map((digit) => ({
          labels: { route: meter.route, method: meter.method, status: `${digit}xx` },
          value: meter.of(digit)
        }))
      )
    ),
    histogram(
      "signalbox_http_request_duration_seconds",
      "Duration from a request's arrival to its response.",
      meters.map((meter) => distribution(meter.seconds, { route: meter.route, method: meter.method }))
    )
  ]
}

const CLASSES = [1, 2, 3, 4, 5]

const itself = ({ certificateEndsAt, meters, process, startedAt }: Readings): ReadonlyArray<Family> => [
  histogram(
    "signalbox_event_loop_delay_seconds",
    "How late the event loop ran due work, measured twice a second.",
    [distribution(meters.loop)]
  ),
  gauge(
    "signalbox_certificate_end_timestamp_seconds",
    "When the TLS certificate expires, in seconds since the epoch.",
    certificateEndsAt === undefined ? [] : [{ value: certificateEndsAt / 1000 }]
  ),
  gauge(
    "signalbox_build_info",
    "Always 1; the labels name the version and the runtime.",
    process === undefined
      ? []
      : [{ labels: { version: process.version, runtime: process.runtime }, value: 1 }]
  ),
  gauge("process_start_time_seconds", "When the process started, in seconds since the epoch.", [
    { value: startedAt / 1000 }
  ]),
  gauge(
    "process_resident_memory_bytes",
    "Resident memory of the process.",
    process === undefined ? [] : [{ value: process.residentBytes }]
  ),
  counter(
    "process_cpu_seconds_total",
    "CPU time that the process has used.",
    process === undefined ? [] : [{ value: process.cpuSeconds }]
  )
]

const distribution = (histogram: Histogram, labels: Readonly<Record<string, string>> = {}): Distribution => ({
  labels,
  bounds: histogram.bounds,
  counts: histogram.counts(),
  sum: histogram.sum
})

const prices = (exchanges: ReadonlyArray<FeedHealth>): ReadonlyArray<Family> => {
  const each = (valueOf: (health: FeedHealth) => number) =>
    exchanges.map((health) => ({ labels: { exchange: health.exchange }, value: valueOf(health) }))
  return [
    gauge(
      "signalbox_prices_up",
      "Whether prices of an exchange arrive, by stream or by polling.",
      each(({ state }) => (state === "streaming" || state === "polling" ? 1 : 0))
    ),
    gauge(
      "signalbox_prices_streaming",
      "Whether prices of an exchange arrive by stream.",
      each(({ state }) => (state === "streaming" ? 1 : 0))
    ),
    gauge(
      "signalbox_prices_markets",
      "Markets whose prices are needed.",
      each(({ markets }) => markets)
    ),
    gauge(
      "signalbox_prices_stale",
      "Markets whose prices are needed and not fresh.",
      each(({ stale }) => stale)
    ),
    counter(
      "signalbox_prices_reconnects_total",
      "Reconnects of price streams.",
      each(({ reconnects }) => reconnects)
    ),
    counter(
      "signalbox_quotes_accepted_total",
      "Quotes handed to the bots.",
      each(({ quotes }) => quotes.accepted)
    ),
    counter(
      "signalbox_quotes_held_back_total",
      "Quotes held back as outliers until a second one confirms them.",
      each(({ quotes }) => quotes.held)
    ),
    counter(
      "signalbox_quotes_dropped_total",
      "Quotes that were no price: zero, negative, not finite or crossed.",
      each(({ quotes }) => quotes.dropped)
    )
  ]
}

const gauge = (name: string, help: string, samples: Plain["samples"]): Family => ({
  name,
  type: "gauge",
  help,
  samples
})
const counter = (name: string, help: string, samples: Plain["samples"]): Family => ({
  name,
  type: "counter",
  help,
  samples
})
const histogram = (name: string, help: string, samples: ReadonlyArray<Distribution>): Family => ({
  name,
  type: "histogram",
  help,
  samples
})
