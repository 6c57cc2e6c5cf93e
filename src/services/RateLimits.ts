// The port of rate limits, with its in-memory layer: a token bucket for each caller and group that holds one second's
// worth of requests; and the failed authentications that a network address may have in a minute. In the server the
// rates are settings: `config/Settings`.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Buckets from "./internal/Buckets.ts"
import * as SharedBuckets from "./internal/SharedBuckets.ts"

/**
 * The groups of requests with a bucket of their own for each caller. Reads of Signalbox's extensions use the rate of
 * `alert`; the dashboard's own reads have their own rate, so that a busy page uses up no caller's limit.
 */
export const Group = Schema.Literal(
  "signals",
  "strategies",
  "notifications",
  "charting",
  "alert",
  "tokens",
  "reads",
  "dashboard"
)
export type Group = typeof Group.Type

/** A caller's allowance: `limit` a second, `remaining` now, full again after `resetSeconds` (whole, at least 1). */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/**
 * The caller used up `limit` requests in `windowSeconds`; the next may come after `retryAfterSeconds` (whole, at least
 * 1). `isAuthentication`: it is the limit of failed authentications, not one of requests.
 */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  limit: Schema.Int,
  windowSeconds: Schema.Int,
  retryAfterSeconds: Schema.Int,
  isAuthentication: Schema.Boolean
}) {
  override get message() {
    return this.isAuthentication
      ? `too many failed authentications: try again in ${this.retryAfterSeconds} s`
      : `at most ${this.limit} requests a second: try again in ${this.retryAfterSeconds} s`
  }
}

/** Requests a second for the records (`crud`) and for alerts and reads of extensions (`alert`); 0 lifts the limit. */
export interface Rates {
  readonly crud: number
  readonly alert: number
}

/**
 * Requests a second for the dashboard's own reads: plenty for a page, and a bound on a faulty one. Lifted together with
 * the limit of the records.
 */
const DASHBOARD_PER_SECOND = 50

/** The most failed authentications of one peer in a minute. */
const MAX_FAILURES = 10
const FAILURES = { windowSeconds: 60, isAuthentication: true }
const REQUESTS = { windowSeconds: 1, isAuthentication: false }

/**
 * Token buckets that hold one second's worth, for each caller and group. A port. A rate of 0 lifts the limit.
 *
 * **An implementation keeps**
 *
 * - Scope: a caller's buckets are its own, one for each group: being limited in one does not limit the others.
 * - Atomicity: of many concurrent requests, no more pass than there are tokens. A refused request takes none.
 * - Time: a clock that goes backwards costs nobody a token. `take` answers at once.
 * - Bounds: the number of buckets is bounded; a forgotten caller starts with a full one.
 * - Errors: `RateLimited`, which says in whole seconds when the next request may come.
 *
 * **Proved by** `RateLimitsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class RateLimits extends Context.Tag("signalbox/services/RateLimits")<
  RateLimits,
  {
    /** Takes one token, `now` in ms since the epoch; undefined where the group has no limit. */
    readonly take: (
      group: Group,
      caller: string,
      now: number
    ) => Either.Either<Allowance | undefined, RateLimited>
    /**
     * Where several servers share the limits: takes one token that `take` would have to ask for. Undefined where `take`
     * decides at once, call it then. Left out where `take` always does.
     */
    readonly fetch?: (
      group: Group,
      caller: string,
      now: number
    ) => Effect.Effect<Allowance, RateLimited> | undefined
    /** Counts a failed authentication of a peer; fails where the peer has failed too often within a minute. */
    readonly failedAuthentication: (peer: string) => Effect.Effect<void, RateLimited>
  }
>() {
  /** Buckets of this process. Their number is bounded: the least recently used is dropped. */
  static readonly layerMemory = (rates: Rates) =>
    Layer.sync(RateLimits, () => {
      const pass = limiter(REQUESTS)
      const fail = limiter(FAILURES)
      return RateLimits.of({
        take: (group, caller, now) => {
          const limit = rateOf(group, rates)
          return limit > 0 ? pass(`${group}:${caller}`, limit, now) : UNLIMITED
        },
        failedAuthentication: (peer) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.asVoid(fail(peer, MAX_FAILURES, now)))
      })
    })

  /** The buckets of one of several servers, which share the limits by a pool. */
  static readonly layerShared = <E, R>(rates: Rates, pool: Effect.Effect<SharedBuckets.TokenPool, E, R>) =>
    Layer.scoped(
      RateLimits,
      Effect.map(Effect.flatMap(pool, SharedBuckets.make), (buckets) => shared(rates, buckets))
    )
}

/** The limits of one of several servers. */
const shared = (rates: Rates, buckets: SharedBuckets.SharedBuckets): typeof RateLimits.Service => {
  const { fetch, mustAsk, take } = buckets
  const keyOf = (group: Group, caller: string) => `${group}:${caller}`
  const limitOf = (group: Group) => ({ limit: rateOf(group, rates), ...REQUESTS })
  return {
    take: (group, caller, now) => {
      const of = limitOf(group)
      if (of.limit === 0) return UNLIMITED
      return verdictOf(of, take(keyOf(group, caller), of, now) ?? NOT_ASKED)
    },
    fetch: (group, caller, now) => {
      const of = limitOf(group)
      const key = keyOf(group, caller)
      if (of.limit === 0 || !mustAsk(key, of, now)) return undefined
      return Effect.flatMap(fetch(key, of), (taken) => verdictOf(of, taken))
    },
    failedAuthentication: Effect.fnUntraced(function* (peer) {
      const of = { limit: MAX_FAILURES, ...FAILURES }
      const key = `failed:${peer}`
      const known = take(key, of, yield* Clock.currentTimeMillis)
      yield* verdictOf(of, known ?? (yield* fetch(key, of)))
    })
  }
}

/** Of whoever does not `fetch` first. */
const NOT_ASKED: SharedBuckets.Taken = { refusedMs: 1 }

const verdictOf = (
  { isAuthentication, limit, windowSeconds }: Limited,
  taken: SharedBuckets.Taken
): Either.Either<Allowance, RateLimited> => {
  if ("left" in taken) {
    const every = (windowSeconds * 1000) / limit
    const remaining = Math.min(taken.left, limit - 1)
    return Either.right({ limit, remaining, resetSeconds: wholeSeconds(every * (limit - remaining)) })
  }
  const retryAfterSeconds = wholeSeconds(taken.refusedMs)
  return Either.left(new RateLimited({ limit, windowSeconds, isAuthentication, retryAfterSeconds }))
}

type Limited = Pick<RateLimited, "limit" | "windowSeconds" | "isAuthentication">

/** The groups of requests that create, change and show records. */
const RECORDS: ReadonlySet<Group> = new Set<Group>(["signals", "strategies", "notifications", "tokens"])

const rateOf = (group: Group, rates: Rates): number => {
  if (group === "dashboard") return rates.crud > 0 ? DASHBOARD_PER_SECOND : 0
  return RECORDS.has(group) ? rates.crud : rates.alert
}

const unlimited: Allowance | undefined = undefined
const UNLIMITED = Either.right(unlimited)

const wholeSeconds = (millis: number): number => Math.max(1, Math.ceil(millis / 1000))

/** Takes one token from a bucket that holds `limit` and refills evenly within `windowSeconds`. */
const limiter = (of: Pick<RateLimited, "windowSeconds" | "isAuthentication">) => {
  const { windowSeconds } = of
  const buckets = Buckets.make(windowSeconds * 1000)
  return (key: string, limit: number, now: number): Either.Either<Allowance, RateLimited> => {
    const every = (windowSeconds * 1000) / limit
    const left = buckets.take(key, limit, now)
    return left < 0
      ? Either.left(new RateLimited({ limit, ...of, retryAfterSeconds: wholeSeconds(every * -left) }))
      : Either.right({ limit, remaining: left, resetSeconds: wholeSeconds(every * (limit - left)) })
  }
}
