// A listening socket, with TLS where there is a certificate, and with the time limits of its connections. A renewed
// certificate opens a second listener on the same port; the first closes once nobody is connecting to it.
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

/** The address to listen on. */
export interface Place {
  /** The interface to listen on. */
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
}

/** A listening port. */
export interface Listener {
  readonly port: number
  /** The address: `http://127.0.0.1:8080`. */
  readonly url: string
  /** Presents another certificate to new connections; does nothing without TLS. */
  readonly renew: (pair: Pair) => Effect.Effect<void, ServeError>
  /** Stops listening; ends when the last response has been sent, or at once with `now`. */
  readonly stop: (now: boolean) => Effect.Effect<void>
}

/** The server cannot listen there. */
export class ServeError extends Data.TaggedError("ServeError")<{
  readonly reason: "port_in_use" | "not_permitted" | "no_such_address" | "other"
  readonly host: string
  readonly port: number
}> {
  override get message() {
    const isReserved = this.reason === "not_permitted" && this.port < FIRST_FREE_PORT
    return `${this.host}:${this.port} ${WORDS[this.reason]}${isReserved ? RESERVED : ""}`
  }
}

/** Only a program with a capability may listen on the ports below. */
const FIRST_FREE_PORT = 1024
const RESERVED = ", as ports below 1024 do; a systemd unit grants it by AmbientCapabilities"

const WORDS = {
  port_in_use: "is in use: another program listens there",
  not_permitted: "needs a permission that this user does not have",
  no_such_address: "is not an address of this machine",
  other: "cannot be listened on"
} as const

/** Seconds within which a connection must send something: headers, body, or the next request. */
const IDLE_SECONDS = 10

/**
 * The same while the server owes the answer to a request without a body: a database that falls silent is noticed after up
 * to nine seconds, and then the answer says so.
 */
const OWED_SECONDS = 20

/**
 * The same for a trusted proxy, which keeps connections for its next callers: Caddy for two minutes, nginx for one. The
 * proxy should be the one that closes them: the runtime closes a connection at its limit even if a request has just
 * arrived on it, and a proxy does not send an alert a second time.
 */
const PROXY_IDLE_SECONDS = 180

/** HSTS: browsers use https alone for a year, for this host name and not those beneath it. */
const HTTPS_ONLY = "max-age=31536000"

/**
 * A retiring listener closes once a moment has passed without a request or a handshake; after this many moments in any
 * case.
 */
const MOMENT = "50 millis"
const MOMENTS = 200

/** A listener of the runtime, with its count of requests. */
interface Opened {
  readonly server: Bun.Server<undefined>
  requests: number
  /** It asks its callers to reconnect. */
  isLeaving: boolean
}

/**
 * Opens a port. The runtime cannot change a listener's certificate: a renewal opens another listener on the same port,
 * and the old one closes when nobody is connecting, because a handshake would be cut off.
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
      try: () => listen({ ...place, port, pair: tls, isShared }, handle, proxies),
      catch: (cause) => new ServeError({ reason: reasonOf(cause), ...place })
    })
  // A port shared with a successor would be shared with a foreign program too: a probe fails first where the port is in
  // use.
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

/** Whether a response may take long. The promise of every other one goes to the runtime unwrapped. */
const isLong = (url: string): boolean => LONG.some((part) => url.includes(part))
const LONG = [EVENTS_PATH, BACKUP_PATH, BACKTESTS_PATH, ARMING_END, CHECK_END]

/** An address to open, with its certificate; `isShared` while another listener is still open there. */
interface Socket extends Place {
  readonly pair: Pair | undefined
  readonly isShared: boolean
}

/** No limit of Bun's on bodies: the edge rejects a large one without reading it, so that the response is ours. */
const listen = (
  { host, isShared, pair, port }: Socket,
  handle: Handler,
  proxies: Proxies.Proxies
): Opened => {
  const answer = (request: Request, server: Bun.Server<undefined>) => {
    const end = () => server.requestIP(request)?.address ?? "unknown"
    const isProxied = proxies !== Proxies.none && proxies.isTrusted(end())
    // Whether the connection may be quiet for longer than others until the answer.
    let lingers = request.method === "GET"
    if (lingers) server.timeout(request, OWED_SECONDS)
    const answered = handle(
      request,
      () => proxies.clientOf(end(), request.headers.get("x-forwarded-for")),
      () => proxies.isTrusted(end()),
      (seconds) => {
        lingers = true
        server.timeout(request, seconds)
      }
    )
    if (!isProxied && !lingers && !isLong(request.url)) return answered
    return answered.then((response) => {
      // A stream may be quiet for longer than other connections; a rejected stream may not.
      if (isProxied) server.timeout(request, PROXY_IDLE_SECONDS)
      else if (isStream(response)) server.timeout(request, STUCK_SECONDS)
      else if (lingers) server.timeout(request, IDLE_SECONDS)
      return response
    })
  }
  const common = {
    hostname: host,
    port,
    // Set explicitly: by default, a second server would share the port.
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
