import * as Option from "effect/Option"
import { ACTED, IGNORED } from "../../domain/Alert.ts"
import { DOORS } from "../../domain/alert/Incoming.ts"
import type { Halt } from "../../domain/Halt.ts"
import { type EngineReading, FATES, type Histogram, type Measurements } from "../../services/health/Meters.ts"
import type { FeedHealth } from "../../services/Tickers.ts"
import type { Distribution, Family, Plain } from "./Exposition.ts"

/** What is read of a running server to make its metrics. */
export interface Readings {
  readonly prices: ReadonlyArray<FeedHealth>
  /** Alerts ever stored. */
  readonly alerts: number
  /** When the process began (ms since the epoch). */
  readonly startedAt: number
  /** What was counted since. */
  readonly meters: Measurements
  /** The halts in force. */
  readonly halts: ReadonlyArray<Halt>
  /** Whether alerts can be stored now. */
  readonly isWritable: boolean
  /** What the runtime knows of itself; nothing where nobody can tell. */
  readonly process: Process | undefined
  /** After which the certificate that callers are shown is no longer good (ms since the epoch); none without TLS. */
  readonly certificateEndsAt: number | undefined
}

export interface Process {
  readonly version: string
  readonly runtime: string
  /** Memory that the process takes up. */
  readonly residentBytes: number
  /** Time that it has had a core for, in seconds. */
  readonly cpuSeconds: number
}

/** Every metric of the server. Labels are few and known beforehand: the seven exchanges, and nothing that people name. */
export const families = (readings: Readings): ReadonlyArray<Family> => [
  ...prices(readings.prices),
  ...alerts(readings),
  ...engine(readings),
  ...live(readings),
  ...storage(readings),
  ...requests(readings.meters),
  ...itself(readings)
]

const alerts = ({ alerts, meters }: Readings): ReadonlyArray<Family> => [
  counter("signalbox_alerts_stored_total", "Alerts that were ever stored.", [{ value: alerts }]),
  counter(
    "signalbox_alerts_total",
    "Alerts by the door that they came to, and how they fared there.",
    DOORS.flatMap((door) =>
      FATES.map((outcome) => ({ labels: { door, outcome }, value: meters.doors[door].of(outcome) }))
    )
  ),
  counter("signalbox_outcomes_total", "What strategies made of alerts, and why.", [
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
      "Strategies that have begun to trade.",
      now(({ bots }) => bots)
    ),
    gauge(
      "signalbox_positions_open",
      "Positions that are open.",
      now(({ positions }) => positions)
    ),
    gauge(
      "signalbox_orders_in_flight",
      "Orders whose end is not known yet; take profits that rest at their price among them.",
      now(({ ordersInFlight }) => ordersInFlight)
    ),
    gauge(
      "signalbox_alerts_waiting",
      "Alerts that wait for a price or the end of an order, one for each strategy.",
      now(({ waitingAlerts }) => waitingAlerts)
    ),
    gauge(
      "signalbox_alerts_behind",
      "Stored alerts that the bots have not come to yet.",
      now(({ cursor }) => Math.max(0, alerts - cursor))
    ),
    counter("signalbox_engine_turns_total", "How often the bots were looked after.", [
      { value: engine.turns }
    ]),
    counter("signalbox_engine_prices_total", "Prices and candles that the bots were given.", [
      { value: engine.prices }
    ]),
    counter("signalbox_engine_steps_total", "Steps of bots that were stored.", [{ value: engine.steps }]),
    histogram("signalbox_engine_commit_duration_seconds", "How long storing steps of bots took.", [
      distribution(engine.seconds)
    ]),
    counter(
      "signalbox_orders_total",
      "Orders that were made, by what for.",
      (["entry", "dca", "exit"] as const).map((purpose) => ({
        labels: { purpose },
        value: engine.orders.of(purpose)
      }))
    ),
    counter("signalbox_fills_total", "Fills of orders.", [{ value: engine.fills }]),
    counter("signalbox_trades_total", "Positions that were closed.", [{ value: engine.trades }])
  ]
}

const live = ({ halts, meters: { engine } }: Readings): ReadonlyArray<Family> => {
  const reading = engine.reading()
  const accounts = halts.filter(({ account }) => Option.isSome(account)).length
  return [
    gauge("signalbox_halted", "Halts of entries in force: everybody's, and those of single accounts.", [
      { labels: { scope: "everybody" }, value: halts.length - accounts },
      { labels: { scope: "account" }, value: accounts }
    ]),
    gauge(
      "signalbox_armed_strategies",
      "Strategies that trade with real money, or still hold some of it.",
      reading === undefined ? [] : [{ value: reading.armed }]
    ),
    gauge(
      "signalbox_strategies_set_aside",
      "Strategies whose bots came to no end with an event, and get none until they have new settings.",
      reading === undefined ? [] : [{ value: reading.setAside.length }]
    ),
    gauge(
      "signalbox_orders_unknown",
      "Orders of which nobody knows what became of them: their exchange is asked again and again.",
      reading === undefined ? [] : [{ value: reading.ordersUnknown }]
    )
  ]
}

const storage = ({ isWritable, meters: { journal } }: Readings): ReadonlyArray<Family> => [
  gauge("signalbox_storage_writable", "Whether alerts can be stored.", [{ value: isWritable ? 1 : 0 }]),
  counter("signalbox_journal_failures_total", "Commits of alerts that failed.", [
    { value: journal.failures }
  ]),
  histogram("signalbox_journal_commit_duration_seconds", "How long commits of alerts took.", [
    distribution(journal.seconds)
  ]),
  histogram("signalbox_journal_commit_alerts", "Alerts that shared a commit.", [distribution(journal.alerts)])
]

const requests = ({ routes }: Measurements): ReadonlyArray<Family> => {
  const meters = [...routes.values()].filter((meter) => CLASSES.some((digit) => meter.of(digit) > 0))
  return [
    counter(
      "signalbox_http_requests_total",
      "Requests by route, method and class of the answer's status.",
      meters.flatMap((meter) =>
        CLASSES.filter((digit) => meter.of(digit) > 0).map((digit) => ({
          labels: { route: meter.route, method: meter.method, status: `${digit}xx` },
          value: meter.of(digit)
        }))
      )
    ),
    histogram(
      "signalbox_http_request_duration_seconds",
      "From a request's arrival to its answer.",
      meters.map((meter) => distribution(meter.seconds, { route: meter.route, method: meter.method }))
    )
  ]
}

const CLASSES = [1, 2, 3, 4, 5]

const itself = ({ certificateEndsAt, meters, process, startedAt }: Readings): ReadonlyArray<Family> => [
  histogram(
    "signalbox_event_loop_delay_seconds",
    "How late the event loop came to what was due, looked at twice a second.",
    [distribution(meters.loop)]
  ),
  gauge(
    "signalbox_certificate_end_timestamp_seconds",
    "When the certificate that callers are shown ends, in seconds since the epoch.",
    certificateEndsAt === undefined ? [] : [{ value: certificateEndsAt / 1000 }]
  ),
  gauge(
    "signalbox_build_info",
    "Always 1: what runs here.",
    process === undefined
      ? []
      : [{ labels: { version: process.version, runtime: process.runtime }, value: 1 }]
  ),
  gauge("process_start_time_seconds", "When the process began, in seconds since the epoch.", [
    { value: startedAt / 1000 }
  ]),
  gauge(
    "process_resident_memory_bytes",
    "Memory that the process takes up.",
    process === undefined ? [] : [{ value: process.residentBytes }]
  ),
  counter(
    "process_cpu_seconds_total",
    "Time that the process has had a core for.",
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
