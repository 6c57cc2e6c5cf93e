// The HTTP server on its sockets: the main port, and optionally one for alerts alone and one for metrics on loopback.
// All ports are one server with the same limits and the same shutdown.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Meters } from "../services/health/Meters.ts"
import { Digest } from "../services/internal/Digest.ts"
import type { Certificates } from "./edge/Certificate.ts"
import * as Edge from "./edge/Edge.ts"
import * as Listener from "./edge/Listener.ts"
import * as Proxies from "./edge/Proxies.ts"
import type { Process } from "./metrics/Metrics.ts"
import { families } from "./metrics/MetricsPage.ts"
import { MetricsSink } from "./metrics/MetricsSink.ts"
import { Program } from "./Program.ts"

export interface Options extends Edge.Options, Listener.Place {
  /** A port with the two alert doors and health alone; absent, there is none. */
  readonly alerts?: Listener.Place
  /** A port on loopback with the metrics alone, without a token; absent, there is none. */
  readonly metrics?: Pick<Listener.Place, "port">
  /** The proxies whose X-Forwarded-For is trusted; absent, none. */
  readonly proxies?: Proxies.Proxies
  /** The TLS certificates of every port; absent, plain HTTP. */
  readonly certificates?: Certificates
  /** The program's version, for the metrics. */
  readonly version?: string
}

export interface Server {
  readonly port: number
  /** The address: `http://127.0.0.1:8080`. */
  readonly url: string
  /** The port of alerts alone, where there is one. */
  readonly alerts?: Listening
  /** The port of the metrics, where there is one. */
  readonly metrics?: Listening
}

type Listening = Pick<Listener.Listener, "port" | "url">

/** Only this machine reaches loopback, whatever interface the other ports listen on. */
const LOOPBACK = "127.0.0.1"

/** How long a shutdown waits for slow callers: `docker stop` kills after 10 s, and the bots have to be stored too. */
const STOP_SECONDS = 8

/**
 * Serves until its scope is closed. Closing it drains: /readyz turns 503, a node of a cluster leaves, a moment later new
 * requests get 503; those in flight have 8 s in all to be answered and read.
 */
export const serve = Effect.fn("http.serve")(function* (options: Options) {
  const { alerts, certificates, metrics, proxies = Proxies.none, version = "unknown" } = options
  const measured = {
    process: () => itself(version),
    ...(certificates === undefined ? {} : { certificateEndsAt: () => certificates.current().expiresAt }),
    ...options
  }
  const edge = yield* Edge.make(measured).pipe(
    Effect.provideService(Digest, sha256),
    Effect.provideService(Program, { version, mountPath: "" })
  )
  const open: Array<Listener.Listener> = []
  const every = (act: (listener: Listener.Listener) => Effect.Effect<void>) =>
    Effect.suspend(() => Effect.forEach(open, act, { concurrency: "unbounded", discard: true }))
  yield* Effect.forkScoped(Effect.withClock(watchLoop, Clock.make()))
  const { follow } = yield* MetricsSink
  if (follow !== undefined) yield* Effect.forkScoped(follow(yield* families(measured)))
  if (certificates !== undefined) yield* Effect.forkScoped(renewing(certificates, every))
  // Added last, so run first at shutdown: /readyz says as early as possible that the server is stopping.
  yield* Effect.addFinalizer(() =>
    Effect.when(edge.drain, () => open.length > 0).pipe(
      // Stops listening, closes idle connections, and ends when the last response has been sent.
      Effect.zipRight(every(({ stop }) => stop(false))),
      Effect.interruptible,
      Effect.timeout(`${STOP_SECONDS} seconds`),
      Effect.ignore,
      Effect.zipRight(every(({ stop }) => stop(true)))
    )
  )
  const listen = (place: Listener.Place, handle: Edge.Handler, shown: Certificates | undefined) =>
    Effect.tap(Listener.open(place, shown, handle, proxies), (listener) => {
      open.push(listener)
    }).pipe(Effect.uninterruptible)
  const main = yield* listen(options, edge.handle, certificates)
  const second = alerts === undefined ? undefined : yield* listen(alerts, edge.handleAlerts, certificates)
  // Without TLS: no certificate names the loopback address.
  const third =
    metrics === undefined
      ? undefined
      : yield* listen({ host: LOOPBACK, port: metrics.port }, edge.handleMetrics, undefined)
  return {
    ...listening(main),
    ...(second === undefined ? {} : { alerts: listening(second) }),
    ...(third === undefined ? {} : { metrics: listening(third) })
  } satisfies Server
})

const listening = ({ port, url }: Listener.Listener): Listening => ({ port, url })

const renewing = (
  { next }: Certificates,
  every: (act: (listener: Listener.Listener) => Effect.Effect<void>) => Effect.Effect<void>
) =>
  Effect.forever(
    Effect.flatMap(next, (pair) =>
      every(({ port, renew }) =>
        Effect.catchAll(renew(pair), ({ message }) =>
          Effect.logError(`port ${port} keeps the previous certificate: ${message}`)
        )
      )
    )
  )

const LOOK_MS = 500

/** Measured in real time, whatever the bots' clock says. */
const watchLoop = Effect.flatMap(Meters, ({ loop, now }) =>
  Effect.forever(
    Effect.suspend(() => {
      const due = now() + LOOK_MS
      return Effect.map(Effect.sleep(LOOK_MS), () => loop.observe(Math.max(0, now() - due) / 1000))
    })
  )
)

const itself = (version: string): Process => {
  const { system, user } = process.cpuUsage()
  return {
    version,
    runtime: `bun ${Bun.version}`,
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (system + user) / 1_000_000
  }
}

/** The runtime's own SHA-256, for `Digest`: a tenth of the time, or less for long texts. */
export const sha256 = (text: string): string =>
  new Bun.CryptoHasher("sha256").update(text).digest("base64url")
