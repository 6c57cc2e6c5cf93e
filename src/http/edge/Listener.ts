import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ARMING_END, BACKTESTS_PATH, BACKUP_PATH, CHECK_END, EVENTS_PATH } from "../../api/shared/Paths.ts"
import * as Fault from "../Fault.ts"
import * as Problems from "../Problems.ts"
import type { Certificates, Pair } from "./Certificate.ts"
import type { Handler } from "./Edge.ts"
import { isStream, STUCK_SECONDS } from "./EventStreams.ts"
import * as Proxies from "./Proxies.ts"

/** Where to listen. */
export interface Place {
  /** The interface to listen on. */
  readonly host: string
  /** 0 takes any port that is free. */
  readonly port: number
}

/** What answers on a port. */
export interface Listener {
  readonly port: number
  /** Where it answers: `http://127.0.0.1:8080`. */
  readonly url: string
  /** Shows another certificate to whoever connects from now on; nothing where it shows none. */
  readonly renew: (pair: Pair) => Effect.Effect<void, ServeError>
  /** Listens no more; ends when the last answer has left, or `now`. */
  readonly stop: (now: boolean) => Effect.Effect<void>
}

/** The server cannot listen there. */
export class ServeError extends Data.TaggedError("ServeError")<{
  readonly reason: "port_in_use" | "not_permitted" | "no_such_address" | "other"
  readonly host: string
  readonly port: number
}> {
  override get message() {
    return `${this.host}:${this.port} ${WORDS[this.reason]}`
  }
}

const WORDS = {
  port_in_use: "is in use: another program listens there",
  not_permitted: "may not be listened on by this user",
  no_such_address: "is no address of this machine",
  other: "cannot be listened on"
} as const

/** Seconds in which a connection must say something: headers, body, or the next request. */
const IDLE_SECONDS = 10

/**
 * The same for a trusted proxy's, which keeps connections for its next callers: Caddy for two minutes, nginx for one. It
 * is to be the one that closes them. The runtime closes a connection whose time is up even if a request has just come
 * on it while it was busy with others, and a proxy does not send an alert a second time.
 */
const PROXY_IDLE_SECONDS = 180

/** Tells browsers for a year to come by https alone: to this host name, and not to those beneath it. */
const HTTPS_ONLY = "max-age=31536000"

/** A listener that is to go waits until nobody has asked it anything or connected for a moment; so many at most. */
const MOMENT = "50 millis"
const MOMENTS = 200

/** A listener of the runtime, and what it is asked meanwhile. */
interface Opened {
  readonly server: Bun.Server<undefined>
  requests: number
  /** It tells its callers to connect anew. */
  isLeaving: boolean
}

/**
 * Opens a port, with TLS where there is a certificate. The runtime cannot change a listener's certificate: a new one
 * is opened on the same port beside it, and the old one goes when nobody is just connecting: they would be cut off.
 */
export const open = Effect.fnUntraced(function* (
  place: Place,
  certificates: Certificates | undefined,
  handle: Handler,
  proxies: Proxies.Proxies
) {
  const scope = yield* Effect.scope
  const pair = certificates?.current()
  const isConnecting = certificates?.isConnecting ?? (() => false)
  const start = (port: number, tls: Pair | undefined, isShared: boolean) =>
    Effect.try({
      try: () => listen({ ...place, port }, tls, isShared, handle, proxies),
      catch: (cause) => new ServeError({ reason: reasonOf(cause), ...place })
    })
  // A port that is to be shared with a successor would be shared with a stranger too: that there is none is seen first.
  if (pair !== undefined && place.port !== 0) {
    const probe = yield* start(place.port, pair, false)
    yield* Effect.promise(() => probe.server.stop(true))
  }
  let newest = yield* start(place.port, pair, pair !== undefined)
  const open = new Set([newest])
  const port = newest.server.port ?? place.port
  const host = place.host.includes(":") ? `[${place.host}]` : place.host

  const renew = Effect.fnUntraced(function* (next: Pair) {
    if (pair === undefined) return
    const old = newest
    newest = yield* start(port, next, true)
    open.add(newest)
    old.isLeaving = true
    yield* Effect.forkIn(retire(old), scope)
  })
  const retire = Effect.fnUntraced(function* (old: Opened) {
    for (let moment = 0, seen = -1; moment < MOMENTS; moment++) {
      if (old.requests === seen && !isConnecting(port)) break
      seen = old.requests
      yield* Effect.sleep(MOMENT)
    }
    yield* Effect.promise(() => old.server.stop(false))
    open.delete(old)
  })
  const stop = (now: boolean) =>
    Effect.asVoid(Effect.promise(() => Promise.all([...open].map(({ server }) => server.stop(now)))))
  return {
    port,
    url: `${pair === undefined ? "http" : "https"}://${host}:${port}`,
    renew,
    stop
  } satisfies Listener
})

/** Whether an answer may take longer than others: the promise of every other one goes to the runtime as it is. */
const isLong = (url: string): boolean => LONG.some((part) => url.includes(part))
const LONG = [EVENTS_PATH, BACKUP_PATH, BACKTESTS_PATH, ARMING_END, CHECK_END]

/** Bodies that are too large are refused by the edge without being read, so that the answer is ours: hence no limit of Bun's. */
const listen = (
  { host, port }: Place,
  pair: Pair | undefined,
  isShared: boolean,
  handle: Handler,
  proxies: Proxies.Proxies
): Opened => {
  const answer = (request: Request, server: Bun.Server<undefined>) => {
    const end = () => server.requestIP(request)?.address ?? "unknown"
    const isProxied = proxies !== Proxies.none && proxies.isTrusted(end())
    let lingers = false
    const answered = handle(
      request,
      () => proxies.clientOf(end(), request.headers.get("x-forwarded-for")),
      () => proxies.isTrusted(end()),
      (seconds) => {
        lingers = true
        server.timeout(request, seconds)
      }
    )
    if (!isProxied && !isLong(request.url)) return answered
    return answered.then((response) => {
      // A stream is quiet for longer than a connection may be; who was refused one has no such leave.
      if (isProxied) server.timeout(request, PROXY_IDLE_SECONDS)
      else if (isStream(response)) server.timeout(request, STUCK_SECONDS)
      else if (lingers) server.timeout(request, IDLE_SECONDS)
      return response
    })
  }
  const common = {
    hostname: host,
    port,
    // Said out loud: left out, a second server shares the port.
    reusePort: isShared,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    error: () => Problems.respond(Fault.fault("unknown"))
  } as const
  if (pair === undefined)
    return { server: Bun.serve({ ...common, fetch: answer }), requests: 0, isLeaving: false }
  const opened: Opened = {
    server: Bun.serve({
      ...common,
      tls: { cert: pair.certificate, key: Redacted.value(pair.key) },
      fetch: async (request, server) => {
        opened.requests++
        const response = await answer(request, server)
        response.headers.set("strict-transport-security", HTTPS_ONLY)
        if (opened.isLeaving) response.headers.set("connection", "close")
        return response
      }
    }),
    requests: 0,
    isLeaving: false
  }
  return opened
}

const reasonOf = (cause: unknown): ServeError["reason"] => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  switch (code) {
    case "EADDRINUSE":
      return "port_in_use"
    case "EACCES":
      return "not_permitted"
    case "EADDRNOTAVAIL":
      return "no_such_address"
    default:
      return "other"
  }
}
