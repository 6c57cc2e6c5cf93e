// The web request behind a platform request.
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"

/** Returns the runtime's own request, with its body unread, so that our size limit applies. */
export const requestOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Request> =>
  Effect.orDie(HttpServerRequest.toWeb(request))
