import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RECEIVED } from "../api/Alerts.ts"
import { Api } from "../api/Api.ts"
import { Caller } from "../api/Security.ts"
import { AlertDoor, arrivalOf } from "./AlertDoor.ts"
import * as Answers from "./Answers.ts"
import * as Body from "./Body.ts"
import { keyOf } from "./Gate.ts"
import { refuse } from "./Problems.ts"
import { CurrentRequest } from "./Request.ts"
import { requestOf } from "./Web.ts"

/** What both doors answer, as JSON text. */
export const RECEIVED_JSON = JSON.stringify(RECEIVED)

/** The address of an alert: the same for the first sending and every repeat. */
export const locationOf = (id: number): string => `/v1/alerts/${id}`

/**
 * Both alert operations as routes, since a contract is served whole. The edge answers them before its router, through
 * the same door.
 */
const receive = Effect.map(
  AlertDoor,
  (door) => (request: HttpServerRequest.HttpServerRequest) =>
    Effect.gen(function* () {
      const facts = yield* CurrentRequest
      const { id } = yield* door.receive(yield* Caller, yield* arrivalAt(request, keyOf(facts.query).rest))
      return Answers.json(RECEIVED_JSON, 200, { location: locationOf(id) })
    }).pipe(refuse)
)

const arrivalAt = (request: HttpServerRequest.HttpServerRequest, query: string) =>
  Effect.map(requestOf(request), (web) => arrivalOf(web, query, Body.bytes(web)))

const charting = HttpApiBuilder.group(Api, "charting", (handlers) =>
  Effect.map(receive, (answer) => handlers.handleRaw("charting", ({ request }) => answer(request)))
)

const alert = HttpApiBuilder.group(Api, "alert", (handlers) =>
  Effect.map(receive, (answer) => handlers.handleRaw("alert", ({ request }) => answer(request)))
)

export const layer = Layer.merge(charting, alert)
