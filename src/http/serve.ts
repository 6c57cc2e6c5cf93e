import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { EVENTS_PATH } from "../api/Events.ts"
import { Digest } from "./Digest.ts"
import * as Edge from "./Edge.ts"
import { isStream, STUCK_SECONDS } from "./EventStreams.ts"
import * as Fault from "./Fault.ts"
import * as Problems from "./Problems.ts"
import * as Proxies from "./Proxies.ts"

export interface Options extends Edge.Options {
  /** The interface to listen on. */
  readonly host: string
  /** 0 takes any port that is free. */
  readonly port: number
  /** Whose X-Forwarded-For is believed; nobody's where it is left out. */
  readonly proxies?: Proxies.Proxies
}

export interface Server {
  readonly port: number
  /** Where it answers: `http://127.0.0.1:8080`. */
  readonly url: string
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

/** For how long stopping waits for slow callers: `docker stop` kills after 10 s, and the bots have to be stored too. */
const STOP_SECONDS = 8

/**
 * Serves until its scope is closed. Closing it drains: /readyz turns 503, a moment later new requests are sent away;
 * those in flight have 8 s in all to be answered and their answers to be read. Bodies over 64 KiB are refused by the edge without being read,
 * so that the answer is a problem of ours; hence no limit of Bun's.
 */
export const serve = Effect.fn("http.serve")(function* (options: Options) {
  const { proxies = Proxies.none } = options
  const measured = { residentBytes: () => process.memoryUsage.rss(), ...options }
  const edge = yield* Effect.provideService(Edge.make(measured), Digest, {
    sha256: (text) => Effect.sync(() => sha256(text)),
    sha256Now: sha256
  })
  const server = yield* Effect.acquireRelease(
    Effect.try({
      try: () =>
        Bun.serve({
          hostname: options.host,
          port: options.port,
          // Said out loud: left out, a second server shares the port.
          reusePort: false,
          idleTimeout: IDLE_SECONDS,
          maxRequestBodySize: Number.MAX_SAFE_INTEGER,
          development: false,
          fetch: (request, server) => {
            const answer = edge.handle(request, () =>
              proxies.clientOf(
                server.requestIP(request)?.address ?? "unknown",
                request.headers.get("x-forwarded-for")
              )
            )
            if (!request.url.includes(EVENTS_PATH)) return answer
            // A stream is quiet for longer than a connection may be; who was refused one has no such leave.
            return answer.then((response) => {
              if (isStream(response)) server.timeout(request, STUCK_SECONDS)
              return response
            })
          },
          error: () => Problems.respond(Fault.fault("unknown"))
        }),
      catch: (cause) => new ServeError({ reason: reasonOf(cause), host: options.host, port: options.port })
    }),
    (server) =>
      edge.drain.pipe(
        // Listens no more, closes what is idle, and ends when the last answer has left.
        Effect.zipRight(Effect.promise(() => server.stop(false))),
        Effect.interruptible,
        Effect.timeout(`${STOP_SECONDS} seconds`),
        Effect.ignore,
        Effect.zipRight(Effect.promise(() => server.stop(true)))
      )
  )
  const port = server.port ?? options.port
  const host = options.host.includes(":") ? `[${options.host}]` : options.host
  return { port, url: `http://${host}:${port}` } satisfies Server
})

/** SHA-256 without leaving the thread: 1 µs where Web Crypto takes 20. */
const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("base64url")

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
