// Both alert operations as routes of the contract, so that it is complete for OpenAPI and typed clients. In the server
// the lean doors answer them first, with the same `AlertDoor`.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Api } from "../../api/Api.ts"
import { Caller } from "../../api/shared/Security.ts"
import type { Door } from "../../domain/alert/Incoming.ts"
import { keyOf } from "../access/Gate.ts"
import { refuse } from "../Problems.ts"
import * as Body from "../request/Body.ts"
import { CurrentRequest, type RequestFacts } from "../request/Request.ts"
import * as Answers from "../views/Answers.ts"
import { requestOf } from "../Web.ts"
import { AlertDoor, arrivalOf } from "./AlertDoor.ts"
import * as AlertResponses from "./AlertResponses.ts"

/** Answers either operation. */
const receive = Effect.map(
  AlertDoor,
  (door) => (at: Door, request: HttpServerRequest.HttpServerRequest) =>
    Effect.gen(function* () {
      const facts = yield* CurrentRequest
      const caller = yield* Caller
      const received = yield* door.receive(caller, yield* arrivalAt(at, request, facts))
      return received._tag === "Tested"
        ? Answers.json(AlertResponses.testedJson(received, caller), 200)
        : Answers.json(AlertResponses.RECEIVED_JSON, 200, {
            location: AlertResponses.locationOf(received.id)
          })
    }).pipe(refuse)
)

const arrivalAt = (
  door: Door,
  request: HttpServerRequest.HttpServerRequest,
  { query }: Pick<RequestFacts, "query">
) =>
  Effect.map(requestOf(request), (web) =>
    arrivalOf(web, { door, query: keyOf(query).rest, body: Body.bytes(web), warnings: [] })
  )

const charting = HttpApiBuilder.group(Api, "charting", (handlers) =>
  Effect.map(receive, (answer) =>
    handlers.handleRaw("charting", ({ request }) => answer("charting", request))
  )
)

const parse = Effect.map(
  AlertDoor,
  (door) => (request: HttpServerRequest.HttpServerRequest) =>
    Effect.gen(function* () {
      const facts = yield* CurrentRequest
      const reading = yield* door.read(yield* Caller, yield* arrivalAt("alert", request, facts))
      return Answers.json(AlertResponses.understoodJson(reading), 200)
    }).pipe(refuse)
)

const alert = HttpApiBuilder.group(Api, "alert", (handlers) =>
  Effect.zipWith(receive, parse, (answer, understand) =>
    handlers
      .handleRaw("alert", ({ request }) => answer("alert", request))
      .handleRaw("parse", ({ request }) => understand(request))
  )
)

export const layer = Layer.merge(charting, alert)
