import * as Effect from "effect/Effect"
import { Meters } from "../../services/health/Meters.ts"
import { Journal } from "../../services/Journal.ts"
import { Halts } from "../../services/money/Halts.ts"
import { RateLimited } from "../../services/RateLimits.ts"
import { Tickers } from "../../services/Tickers.ts"
import { bearerOf, Gate, limitedHeaders } from "../access/Gate.ts"
import { isLocalName } from "../edge/Peer.ts"
import * as Problems from "../Problems.ts"
import type { PageRequest } from "../request/Request.ts"
import * as Exposition from "./Exposition.ts"
import * as Metrics from "./Metrics.ts"

const ACCESS = { scope: "full", bucket: "reads" } as const

/** What is to be known of the process beside what is counted in it. */
export interface Options {
  /** Left out where nobody can tell. */
  readonly process?: () => Metrics.Process
  /** Left out without TLS. */
  readonly certificateEndsAt?: () => number
}

/** All that is measured, as it stands now. */
export const families = Effect.fnUntraced(function* ({ certificateEndsAt, process }: Options) {
  const halts = yield* Halts
  const journal = yield* Journal
  const tickers = yield* Tickers
  const meters = yield* Meters
  return Effect.gen(function* () {
    return Metrics.families({
      prices: yield* tickers.health,
      alerts: yield* journal.last,
      halts: yield* halts.all,
      startedAt: performance.timeOrigin,
      meters,
      isWritable: yield* journal.writable,
      process: process?.(),
      certificateEndsAt: certificateEndsAt?.()
    })
  })
})

/** The page of the metrics, at its two doors. */
export interface MetricsPages {
  /** For the bearer of a token of full scope, wherever it asks from: a proxy here asks for somebody elsewhere. */
  readonly guarded: (asked: PageRequest) => Effect.Effect<Response>
  /**
   * For every program of this machine, on a port that only it reaches. A browser here may be made to ask for a page
   * of elsewhere whose name leads to this machine: that one is told nothing.
   */
  readonly local: (asked: PageRequest) => Effect.Effect<Response>
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
    guarded: (asked) =>
      Effect.zipRight(enter(asked), page).pipe(
        Effect.catchAll((failure) =>
          Effect.succeed(
            Problems.respond(
              Problems.of(failure, asked.id),
              failure instanceof RateLimited ? limitedHeaders(ACCESS.bucket, failure) : {}
            )
          )
        )
      ),
    local: ({ id, request }) => {
      const host = request.headers.get("host")
      // A program that names no host is no browser.
      if (host === null || isLocalName(host)) return page
      return Effect.succeed(Problems.respond(Problems.make(403, "forbidden", NOT_LOCAL, id)))
    }
  } satisfies MetricsPages
})

const NOT_LOCAL = "metrics are told to programs of this machine here: ask for 127.0.0.1 or localhost"
