// Checks authentication, scope and rate limit of every request, alerts included, in the fixed sequence 401, 403, 429.
// The scope and the rate limit that operations need are the `Access` annotations of their groups in src/api.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Identity } from "../../domain/Account.ts"
import { Accounts } from "../../services/Accounts.ts"
import { type Allowance, type RateLimited, RateLimits } from "../../services/RateLimits.ts"
import { Sessions } from "../../services/Sessions.ts"
import { networkOf } from "../edge/Peer.ts"
import { crossSite, forbidden, type RequestRejected, signedOut, unauthorized } from "../RequestRejected.ts"
import * as Percent from "../request/Percent.ts"
import type { RequestFacts } from "../request/Request.ts"
import * as Cookie from "./Cookie.ts"
import * as Origin from "./Origin.ts"

/** An admitted caller, and the rest of its rate limit; undefined where the group has no limit. */
export interface Entered {
  readonly identity: Identity
  readonly allowance: Allowance | undefined
}

/** The parts of a request that authenticate it. */
export interface Shown {
  readonly method: string
  readonly header: (
    name: "authorization" | "cookie" | "origin" | "sec-fetch-site"
  ) => string | null | undefined
}

/** Decides who may pass. */
export class Gate extends Context.Tag("signalbox/http/access/Gate")<
  Gate,
  {
    readonly enter: (
      facts: RequestFacts,
      secret: string | undefined
    ) => Effect.Effect<Entered, RequestRejected | RateLimited>
    /** `enter` by another proof of who calls; none counts as a failed authentication, answered with `refusal`. */
    readonly enterBy: <E, R>(
      facts: RequestFacts,
      found: Effect.Effect<Option.Option<Identity>, E, R>,
      refusal: RequestRejected
    ) => Effect.Effect<Entered, RequestRejected | RateLimited | E, R>
    /** `enter` by the token in `Authorization` or, without one, by the session cookie. */
    readonly enterWith: (
      facts: RequestFacts,
      shown: Shown
    ) => Effect.Effect<Entered, RequestRejected | RateLimited>
    /**
     * Admits a caller that is known already: `enter` after its authentication. `now` in ms since the epoch. Undefined
     * where another server has to be asked: only `enter` does.
     */
    readonly admit: (
      facts: RequestFacts,
      identity: Identity,
      now: number
    ) => Either.Either<Entered, RequestRejected | RateLimited> | undefined
  }
>() {
  static readonly layer = Layer.effect(
    Gate,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const limits = yield* RateLimits
      const sessions = yield* Sessions
      const stranger = (facts: RequestFacts, refusal: RequestRejected) =>
        Effect.zipRight(limits.failedAuthentication(networkOf(facts.peer())), Effect.fail(refusal))
      const admit: typeof Gate.Service.admit = (facts, identity, now) => {
        const { bucket, scope } = facts.access
        if (scope === "full" && identity.scope !== "full") return Either.left(forbidden)
        const caller = String(identity.account)
        if (limits.fetch?.(bucket, caller, now) !== undefined) return undefined
        const taken = limits.take(bucket, caller, now)
        return Either.isLeft(taken)
          ? Either.left(taken.left)
          : Either.right({ identity, allowance: taken.right })
      }
      const admitted = Effect.fnUntraced(function* (facts: RequestFacts, identity: Identity) {
        const now = yield* Clock.currentTimeMillis
        const entered = admit(facts, identity, now)
        if (entered !== undefined) return yield* entered
        const allowance = yield* limits.fetch?.(facts.access.bucket, String(identity.account), now) ?? NOTHING
        return { identity, allowance }
      })
      const enterBy: typeof Gate.Service.enterBy = (facts, found, refusal) =>
        Effect.flatMap(found, (identity) =>
          Option.isSome(identity) ? admitted(facts, identity.value) : stranger(facts, refusal)
        )
      const enter = (facts: RequestFacts, secret: string | undefined) =>
        // A missing token is no guess: only wrong tokens count as failed authentications.
        secret === undefined
          ? Effect.fail(unauthorized)
          : enterBy(facts, accounts.authenticate(secret), unauthorized)
      /** An ended session is no failed authentication: a page left open sends one, and nobody guesses one. */
      const enterBySession = Effect.fnUntraced(function* (facts: RequestFacts, shown: Shown, secret: string) {
        const found = yield* sessions.use(secret)
        if (Option.isNone(found)) return yield* signedOut
        const sent = sentOf(shown)
        if (!(SAFE.has(shown.method) ? Origin.mayRead(sent) : Origin.isOwn(sent, facts.origin())))
          return yield* crossSite
        const { account, id, token } = found.value
        const identity: Identity = { account, token, scope: "full", session: id }
        return yield* admitted(facts, identity)
      })
      return Gate.of({
        admit,
        enter,
        enterBy,
        enterWith: (facts, shown) => {
          const authorization = shown.header("authorization")
          const takesCookie = facts.takesSessions && !showsToken(shown)
          const secret = takesCookie ? Cookie.read(shown.header("cookie"), isSecure(facts)) : undefined
          return secret === undefined
            ? enter(facts, bearerOf(authorization))
            : enterBySession(facts, shown, secret)
        }
      })
    })
  )
}

const NOTHING = Effect.succeed(undefined)

/** Methods that change nothing. */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"])

export const sentOf = ({ header }: Pick<Shown, "header">): Origin.Sent => ({
  origin: header("origin"),
  fetchSite: header("sec-fetch-site")
})

/** Whether the session cookie is limited to TLS. */
export const isSecure = ({ origin }: RequestFacts): boolean => origin().startsWith("https:")

/** Credentials for a proxy with a password of its own: browsers send them along with every request. */
const PROXYS = /^(?:Basic|Digest|Negotiate|NTLM) /i

/** Whether the header holds a token, right or wrong: then no session counts. */
export const showsToken = ({ header }: Pick<Shown, "header">): boolean => {
  const authorization = header("authorization")
  return authorization !== null && authorization !== undefined && !PROXYS.test(authorization)
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i

/** The token of an `Authorization` header. */
export const bearerOf = (header: string | null | undefined): string | undefined =>
  header === null || header === undefined ? undefined : BEARER.exec(header)?.[1]

/** Splits the key from a query; the rest is logged and stored without it. Two keys count as none. */
export const keyOf = (query: string): { readonly key: string | undefined; readonly rest: string } => {
  if (query.startsWith("key=") && !query.includes("&")) return { key: keyIn(query), rest: "" }
  const parts = query.split("&")
  const keys = parts.filter((part) => part.startsWith("key="))
  const rest = parts.filter((part) => !part.startsWith("key=")).join("&")
  return { key: keys.length === 1 ? keyIn(keys[0] ?? "") : undefined, rest }
}

/** The value after `key=`, decoded as in a form. A malformed one stays as it is, and matches no token. */
const keyIn = (part: string): string => Percent.decodeField(part.slice(4)) ?? part.slice(4)

/** The rest of a rate limit as headers (draft-ietf-httpapi-ratelimit-headers). */
export const limitHeaders = (
  name: string,
  { limit, remaining, resetSeconds }: Allowance,
  windowSeconds = 1
) => ({
  "ratelimit-policy": `"${name}";q=${limit};w=${windowSeconds}`,
  ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`
})

/** The headers of a 429 response: of the route's group, or of failed authentications. */
export const limitedHeaders = (bucket: string, over: RateLimited) => {
  const { isAuthentication, limit, retryAfterSeconds, windowSeconds } = over
  const left = { limit, remaining: 0, resetSeconds: retryAfterSeconds }
  return {
    ...limitHeaders(isAuthentication ? "authentication" : bucket, left, windowSeconds),
    "retry-after": String(retryAfterSeconds)
  }
}
