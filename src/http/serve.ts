import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Meters } from "../services/health/Meters.ts"
import type { Certificates } from "./edge/Certificate.ts"
import * as Edge from "./edge/Edge.ts"
import * as Listener from "./edge/Listener.ts"
import * as Proxies from "./edge/Proxies.ts"
import type { Process } from "./metrics/Metrics.ts"
import { families } from "./metrics/MetricsPage.ts"
import { MetricsSink } from "./metrics/MetricsSink.ts"
import { Program } from "./Program.ts"
import { Digest } from "./request/Digest.ts"

export interface Options extends Edge.Options, Listener.Place {
  /** Where only the two alert doors and health answer; nowhere where it is left out. */
  readonly alerts?: Listener.Place
  /** The port on loopback where only the metrics are, told without a token; none where it is left out. */
  readonly metrics?: Pick<Listener.Place, "port">
  /** Whose X-Forwarded-For is believed; nobody's where it is left out. */
  readonly proxies?: Proxies.Proxies
  /** What callers are shown on every port; without it we speak plain HTTP. */
  readonly certificates?: Certificates
  /** Of the program, for the metrics. */
  readonly version?: string
}

export interface Server {
  readonly port: number
  /** Where it answers: `http://127.0.0.1:8080`. */
  readonly url: string
  /** The same for the port of the alerts alone, where there is one. */
  readonly alerts?: Listening
  /** The same for the port of the metrics. */
  readonly metrics?: Listening
}

type Listening = Pick<Listener.Listener, "port" | "url">

/** Nobody but this machine reaches it, whatever the other ports listen on. */
const LOOPBACK = "127.0.0.1"

/** For how long stopping waits for slow callers: `docker stop` kills after 10 s, and the bots have to be stored too. */
const STOP_SECONDS = 8

/**
 * Serves until its scope is closed. Closing it drains: /readyz turns 503, a moment later new requests are sent away;
 * those in flight have 8 s in all to be answered and their answers to be read. All ports are one server: the same
 * limits, peers and drain.
 */
export const serve = Effect.fn("http.serve")(function* (options: Options) {
  const { alerts, certificates, metrics, proxies = Proxies.none, version = "unknown" } = options
  const measured = {
    process: () => itself(version),
    ...(certificates === undefined ? {} : { certificateEndsAt: () => certificates.current().expiresAt }),
    ...options
  }
  const edge = yield* Edge.make(measured).pipe(
    Effect.provideService(Digest, { sha256: (text) => Effect.sync(() => sha256(text)), sha256Now: sha256 }),
    Effect.provideService(Program, { version })
  )
  const open: Array<Listener.Listener> = []
  const every = (act: (listener: Listener.Listener) => Effect.Effect<void>) =>
    Effect.suspend(() => Effect.forEach(open, act, { concurrency: "unbounded", discard: true }))
  yield* Effect.forkScoped(Effect.withClock(watchLoop, Clock.make()))
  const { follow } = yield* MetricsSink
  if (follow !== undefined) yield* Effect.forkScoped(follow(yield* families(measured)))
  if (certificates !== undefined) yield* Effect.forkScoped(renewing(certificates, every))
  // After these, and so before them when all is closed: no later than it can be, /readyz says that we are going.
  yield* Effect.addFinalizer(() =>
    Effect.when(edge.drain, () => open.length > 0).pipe(
      // Listens no more, closes what is idle, and ends when the last answer has left.
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
  // Without TLS: no certificate is made out to the loopback address.
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
          Effect.logError(`port ${port} goes on with the certificate from before: ${message}`)
        )
      )
    )
  )

const LOOK_MS = 500

/** In real time, whatever time it is for the bots. */
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

/** SHA-256 without leaving the thread: 1 µs where Web Crypto takes 20. */
const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("base64url")
