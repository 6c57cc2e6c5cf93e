import * as RateLimiter from "@effect/experimental/RateLimiter"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { makeStore } from "./Buckets.ts"

/** The buckets of the interface: each caller has one of each. Reads of our extensions go by `alert`'s rate. */
export const Group = Schema.Literal("signals", "strategies", "charting", "alert", "reads")
export type Group = typeof Group.Type

/** What a caller has left: `limit` a second, `remaining` now, full again after `resetSeconds` (whole, at least 1). */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** `limit` requests in `windowSeconds` were had; the next one may come after `retryAfterSeconds` (whole, at least 1). */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  limit: Schema.Int,
  windowSeconds: Schema.Int,
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return this.windowSeconds === 1
      ? `at most ${this.limit} requests a second: try again in ${this.retryAfterSeconds} s`
      : `too many failed authentications: try again in ${this.retryAfterSeconds} s`
  }
}

/** Requests a second for the records (`crud`) and for alerts (`alert`, which reads of our extensions go by); 0 lifts. */
export interface Rates {
  readonly crud: number
  readonly alert: number
}

/** Failed authentications of one peer in a minute. */
const MAX_FAILURES = 10
const FAILURE_SECONDS = 60

/** Token buckets that hold one second's worth, per caller and group. A port. A rate of 0 lifts the limit. */
export class RateLimits extends Context.Tag("signalbox/services/RateLimits")<
  RateLimits,
  {
    /** Takes one token; none where the group has no limit. */
    readonly take: (group: Group, caller: string) => Effect.Effect<Allowance | undefined, RateLimited>
    /** Counts a failed authentication of a peer; fails where the peer has failed too often of late. */
    readonly failedAuthentication: (peer: string) => Effect.Effect<void, RateLimited>
  }
>() {
  /** Buckets of this process. Their number is bounded: the one that was used longest ago makes room. */
  static readonly layerMemory = (rates: Rates) =>
    Layer.effect(
      RateLimits,
      Effect.gen(function* () {
        const buckets = yield* RateLimiter.make.pipe(
          Effect.provideService(RateLimiter.RateLimiterStore, makeStore())
        )
        const failures = yield* RateLimiter.make.pipe(
          Effect.provideService(RateLimiter.RateLimiterStore, makeStore())
        )
        const take = consume(buckets, 1)
        const fail = consume(failures, FAILURE_SECONDS)
        return RateLimits.of({
          take: (group, caller) => {
            const limit = group === "signals" || group === "strategies" ? rates.crud : rates.alert
            return limit > 0 ? take(`${group}:${caller}`, limit) : UNLIMITED
          },
          failedAuthentication: (peer) => Effect.asVoid(fail(peer, MAX_FAILURES))
        })
      })
    )
}

const unlimited: Allowance | undefined = undefined
const UNLIMITED = Effect.succeed(unlimited)

const wholeSeconds = (span: Duration.Duration): number =>
  Math.max(1, Math.ceil(Duration.toMillis(span) / 1000))

/** Takes one token of a bucket that holds `limit` and is filled again, evenly, in `windowSeconds`. */
const consume = (limiter: RateLimiter.RateLimiter, windowSeconds: number) => {
  const window = Duration.seconds(windowSeconds)
  return (key: string, limit: number): Effect.Effect<Allowance, RateLimited> =>
    limiter.consume({ algorithm: "token-bucket", onExceeded: "fail", window, limit, key }).pipe(
      Effect.map(({ remaining, resetAfter }) => ({
        limit,
        remaining,
        resetSeconds: wholeSeconds(resetAfter)
      })),
      Effect.catchAll((error) =>
        error.reason === "Exceeded"
          ? Effect.fail(
              new RateLimited({ limit, windowSeconds, retryAfterSeconds: wholeSeconds(error.retryAfter) })
            )
          : Effect.die(error)
      )
    )
}
