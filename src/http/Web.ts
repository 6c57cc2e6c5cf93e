import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"

/** The request as the runtime gave it: its body is still to be read, by us and within our limit. */
export const requestOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Request> =>
  Effect.orDie(HttpServerRequest.toWeb(request))
