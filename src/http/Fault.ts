import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type { Problem } from "../api/shared/Problem.ts"
import { StorageUnavailable } from "../services/records/StorageUnavailable.ts"
import * as Problems from "./Problems.ts"

/**
 * Answers a defect with the request's id, and logs what happened under it: the cause and the operation's name, never
 * the address, the headers or the body, since a key may stand in any of them.
 */
export const caught = <E, R>(
  self: Effect.Effect<Response, E, R>,
  requestId: string,
  operation: string
): Effect.Effect<Response, never, R> =>
  Effect.catchAllCause(self, (cause) => Effect.map(report(cause, requestId, operation), Problems.respond))

/** The problem that a defect is to its caller: 503 where the database is at fault, else 500. */
export const report = (
  cause: Cause.Cause<unknown>,
  requestId: string,
  operation: string
): Effect.Effect<Problem> => {
  const stuck = Chunk.findFirst(Cause.defects(cause), (defect) => defect instanceof StorageUnavailable)
  const problem =
    stuck._tag === "Some"
      ? Problems.make(503, "unavailable", stuck.value.message, requestId)
      : fault(requestId)
  if (Cause.isInterruptedOnly(cause)) return Effect.succeed(problem)
  return Effect.logError("a request failed", cause).pipe(
    Effect.annotateLogs({ request_id: requestId, operation }),
    Effect.as(problem)
  )
}

/** A fault of ours. */
export const fault = (requestId: string): Problem =>
  Problems.make(500, "internal_error", "the server failed; its log has more under this request_id", requestId)
