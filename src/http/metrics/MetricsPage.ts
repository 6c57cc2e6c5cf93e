// The metrics page: for tokens of full scope on the main port, and without a token on a loopback port that rejects
// foreign host names.
import * as Effect from "effect/Effect"
import { Meters } from "../../services/health/Meters.ts"
import { Journal } from "../../services/Journal.ts"
import { Halts } from "../../services/money/Halts.ts"
import { RateLimited } from "../../services/RateLimits.ts"
import { StorageUnavailable } from "../../services/records/StorageUnavailable.ts"
import { Tickers } from "../../services/Tickers.ts"
import { bearerOf, Gate, limitedHeaders } from "../access/Gate.ts"
import { isLocalName } from "../edge/Peer.ts"
import * as Problems from "../Problems.ts"
import type { PageRequest } from "../request/Request.ts"
import * as Exposition from "./Exposition.ts"
import * as Metrics from "./Metrics.ts"

const ACCESS = { scope: "full", bucket: "reads" } as const

/** Numbers of the process that the runtime provides. */
export interface Options {
  /** Absent where the runtime has none. */
  readonly process?: () => Metrics.Process
  /** Absent without TLS. */
  readonly certificateEndsAt?: () => number
}

/** Reads all metrics now. */
export const families = Effect.fnUntraced(function* ({ certificateEndsAt, process }: Options) {
  const halts = yield* Halts
  const journal = yield* Journal
  const tickers = yield* Tickers
  const meters = yield* Meters
  return Effect.gen(function* () {
    return Metrics.families({
      prices: yield* tickers.health,
      alerts: yield* journal.last,
      halts: yield* readable(halts.all),
      startedAt: performance.timeOrigin,
      meters,
      isWritable: yield* journal.writable,
      process: process?.(),
      certificateEndsAt: certificateEndsAt?.()
    })
  })
})

/** Undefined while storage is unavailable: the other metrics are wanted most then. */
const readable = <A>(self: Effect.Effect<A>): Effect.Effect<A | undefined> =>
  Effect.catchAllDefect(self, (defect) =>
    defect instanceof StorageUnavailable ? Effect.succeed(undefined) : Effect.die(defect)
  )

/** The page at its two places. */
export interface MetricsPages {
  /** For a token of full scope, whatever the caller's address: a proxy on this machine forwards foreign requests. */
  readonly guarded: (pageRequest: PageRequest) => Effect.Effect<Response>
  /**
   * For every program of this machine, on a port that only it reaches. A foreign page may make a local browser ask by a
   * name that resolves to this machine: that request is rejected.
   */
  readonly local: (pageRequest: PageRequest) => Effect.Effect<Response>
}

export const make = Effect.fnUntraced(function* (options: Options) {
  const gate = yield* Gate
  const measured = yield* families(options)

  const enter = ({ id, peer, request }: PageRequest) => {
    const here = { path: "/metrics", query: "", operation: "metrics", access: ACCESS }
    const facts = { id, peer, ...here, origin: () => "", linger: () => {}, takesSessions: false }
    return gate.enter(facts, bearerOf(request.headers.get("authorization")))
  }

  const page = Effect.map(
    measured,
    (all) => new Response(Exposition.render(all), { headers: { "content-type": Exposition.CONTENT_TYPE } })
  )

  return {
    guarded: (pageRequest) =>
      Effect.zipRight(enter(pageRequest), page).pipe(
        Effect.catchAll((failure) =>
          Effect.succeed(
            Problems.respond(
              Problems.of(failure, pageRequest.id),
              failure instanceof RateLimited ? limitedHeaders(ACCESS.bucket, failure) : {}
            )
          )
        )
      ),
    local: ({ id, request }) => {
      const host = request.headers.get("host")
      // A client without a Host header is not a browser.
      if (host === null || isLocalName(host)) return page
      return Effect.succeed(Problems.respond(Problems.make(403, "forbidden", NOT_LOCAL, id)))
    }
  } satisfies MetricsPages
})

const NOT_LOCAL = "this port serves metrics to programs of this machine: ask for 127.0.0.1 or localhost"
