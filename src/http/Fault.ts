// Faults of ours as problems: the caller gets the request's id, and the log gets the cause under that id. The log never
// holds the address, the headers or the body, since each may contain a key.
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type { Problem } from "../api/shared/Problem.ts"
import { StorageUnavailable } from "../services/records/StorageUnavailable.ts"
import * as Problems from "./Problems.ts"

/** Turns a defect into a problem response, and logs it. */
export const caught = <E, R>(
  self: Effect.Effect<Response, E, R>,
  requestId: string,
  operation: string
): Effect.Effect<Response, never, R> =>
  Effect.catchAllCause(self, (cause) => Effect.map(report(cause, requestId, operation), Problems.respond))

/** Logs a defect and returns its problem: 503 where storage is unavailable, else 500. */
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

/** The problem of a fault. */
export const fault = (requestId: string): Problem =>
  Problems.make(500, "internal_error", "the server failed; its log has more under this request_id", requestId)
