// The responses of the lean doors: web responses with the standing headers and the rest of the caller's rate limit.
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Tested } from "../../services/Alerts.ts"
import type { Appended } from "../../services/Journal.ts"
import { type Entered, limitedHeaders, limitHeaders } from "../access/Gate.ts"
import * as Headers from "../edge/Headers.ts"
import * as Fault from "../Fault.ts"
import * as Problems from "../Problems.ts"
import type { RequestFacts } from "../request/Request.ts"
import * as AlertResponses from "./AlertResponses.ts"

/** The response to a stored alert. */
export const received = ({ id }: Appended, facts: RequestFacts, entered: Entered): Response =>
  respond(
    AlertResponses.RECEIVED_JSON,
    { "content-type": "application/json", location: AlertResponses.locationOf(id) },
    facts,
    entered
  )

/** The response to a test alert. */
export const tested = (result: Tested, facts: RequestFacts, entered: Entered): Response =>
  respond(
    AlertResponses.testedJson(result, entered.identity),
    { "content-type": "application/json" },
    facts,
    entered
  )

const respond = (
  json: string,
  own: Record<string, string>,
  facts: RequestFacts,
  { allowance }: Entered
): Response => {
  const headers = Headers.standing(facts.id, own)
  return new Response(json, {
    headers:
      allowance === undefined ? headers : { ...headers, ...limitHeaders(facts.access.bucket, allowance) }
  })
}

/** The response to an alert that was rejected or met a fault. */
export const refused = (
  cause: Cause.Cause<Problems.Failure>,
  { access, id, operation }: RequestFacts
): Effect.Effect<Response> =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => Effect.map(Fault.report(cause, id, operation), (problem) => Problems.respond(problem)),
    onSome: (failure) => {
      const headers = failure._tag === "RateLimited" ? limitedHeaders(access.bucket, failure) : {}
      return Effect.succeed(Problems.respond(Problems.of(failure, id), headers))
    }
  })
