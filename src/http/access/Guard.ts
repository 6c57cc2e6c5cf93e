// The gate as the contract's middleware: bearer token or session for most routes, the webhook's key for the charting
// route.
import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Bearer, WebhookKey } from "../../api/shared/Security.ts"
import { RateLimited } from "../../services/RateLimits.ts"
import { refuseEntry } from "../Problems.ts"
import type { RequestRejected } from "../RequestRejected.ts"
import { CurrentRequest, type RequestFacts } from "../request/Request.ts"
import { type Entered, Gate, keyOf, limitedHeaders, limitHeaders, type Shown } from "./Gate.ts"

/** Adds headers to the current response, whatever its status. */
export const withHeaders = (headers: Record<string, string>) =>
  HttpApp.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, headers))
  )

/** Admits a caller to a route, and adds the headers of its rate limit to the response. */
export const entered = Effect.fnUntraced(function* <E = never>(
  facts: RequestFacts,
  entering: Effect.Effect<Entered, RequestRejected | RateLimited | E>
) {
  const { identity, allowance } = yield* Effect.tapError(entering, (failure) =>
    failure instanceof RateLimited ? withHeaders(limitedHeaders(facts.access.bucket, failure)) : Effect.void
  )
  if (allowance !== undefined) yield* withHeaders(limitHeaders(facts.access.bucket, allowance))
  return identity
})

/** The parts of a router's request that authenticate it. */
export const shownBy = ({ headers, method }: HttpServerRequest.HttpServerRequest): Shown => ({
  method,
  header: (name) => headers[name]
})

/** Middleware that admits the caller or rejects the request. */
const guard = (
  entering: (
    gate: typeof Gate.Service,
    facts: RequestFacts,
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<Entered, RequestRejected | RateLimited>
) =>
  Effect.map(Gate, (gate) =>
    Effect.gen(function* () {
      const facts = yield* CurrentRequest
      const request = yield* HttpServerRequest.HttpServerRequest
      return yield* refuseEntry(entered(facts, entering(gate, facts, request)))
    })
  )

const bearer = Layer.effect(
  Bearer,
  Effect.map(
    guard((gate, facts, request) => gate.enterWith(facts, shownBy(request))),
    (enter) => Bearer.of({ bearer: () => enter })
  )
)

const webhookKey = Layer.effect(
  WebhookKey,
  Effect.map(
    guard((gate, facts) => gate.enter(facts, keyOf(facts.query).key)),
    (enter) => WebhookKey.of({ key: () => enter })
  )
)

/** The contract's two kinds of authentication. */
export const layer = Layer.merge(bearer, webhookKey)
