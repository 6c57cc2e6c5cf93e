import * as Effect from "effect/Effect"
import { Halts } from "../services/Halts.ts"
import { Journal } from "../services/Journal.ts"
import { Meters } from "../services/Meters.ts"
import { RateLimited } from "../services/RateLimits.ts"
import { Tickers } from "../services/Tickers.ts"
import * as Exposition from "./Exposition.ts"
import { bearerOf, Gate, limitedHeaders } from "./Gate.ts"
import * as Metrics from "./Metrics.ts"
import { isLocalName, isLoopback } from "./Peer.ts"
import * as Problems from "./Problems.ts"
import type { Asked } from "./Request.ts"

/** Headers by which a proxy says that it asks for somebody else. */
const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-real-ip"]

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

/**
 * The metrics, for whoever asks from this machine, and for the bearer of a token of full scope. What a proxy on this
 * machine passes on comes from elsewhere, whether its word is taken or not; and so does what a browser here asks for a
 * page whose name was made to lead here.
 */
export const make = Effect.fnUntraced(function* (options: Options) {
  const gate = yield* Gate
  const measured = yield* families(options)

  const isNear = ({ peer, request }: Asked): boolean =>
    isLoopback(peer()) &&
    isLocalName(request.headers.get("host") ?? new URL(request.url).host) &&
    !FORWARDED.some((name) => request.headers.has(name))

  const enter = (asked: Asked) => {
    const { id, peer, request } = asked
    const here = { path: "/metrics", query: "", operation: "metrics", access: ACCESS }
    const facts = { id, peer, ...here, origin: () => "", linger: () => {}, takesSessions: false }
    return isNear(asked) ? Effect.void : gate.enter(facts, bearerOf(request.headers.get("authorization")))
  }

  const page = Effect.map(
    measured,
    (all) => new Response(Exposition.render(all), { headers: { "content-type": Exposition.CONTENT_TYPE } })
  )

  return (asked: Asked): Effect.Effect<Response> =>
    Effect.zipRight(enter(asked), page).pipe(
      Effect.catchAll((failure) =>
        Effect.succeed(
          Problems.respond(
            Problems.of(failure, asked.id),
            failure instanceof RateLimited ? limitedHeaders(ACCESS.bucket, failure) : {}
          )
        )
      )
    )
})
