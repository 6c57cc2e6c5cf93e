import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import { ALERT_PATH, CHARTING_PATH } from "../api/Alerts.ts"
import { AlertDoor, arrivalOf } from "./AlertDoor.ts"
import { locationOf, RECEIVED_JSON } from "./Alerts.ts"
import * as Body from "./Body.ts"
import * as Fault from "./Fault.ts"
import { bearerOf, Gate, keyOf, limitedHeaders, limitHeaders } from "./Gate.ts"
import * as Headers from "./Headers.ts"
import * as Problems from "./Problems.ts"
import { aborted, type Refused } from "./Refused.ts"
import type { RequestFacts } from "./Request.ts"
import * as Routes from "./Routes.ts"

/** Answers one of the two alert operations, and never rejects. */
export type LeanDoor = (request: Request, arrived: Arrived) => Promise<Response>

/** What the edge knows of a request: the door adds what its operation asks of a caller. */
type Arrived = Omit<RequestFacts, "operation" | "access">

type Read = Effect.Effect<Uint8Array, Refused>

/**
 * The alert operations without the router, the body reader and the tracer of the contract's server, which cost more
 * than all the rest: same gate, same door, same problems. A small body is read before its caller is known, so that
 * one run of one fiber does it all; nothing is told of it before. By path.
 */
export const make = Effect.fnUntraced(function* (runtime: Runtime.Runtime<never>) {
  const gate = yield* Gate
  const door = yield* AlertDoor
  // Counting fibers costs more than this one does.
  const fork = Runtime.runFork(Runtime.disableRuntimeFlag(runtime, RuntimeFlags.RuntimeMetrics))

  const answer = (
    request: Request,
    facts: RequestFacts,
    secret: string | undefined,
    query: string,
    body: Read
  ): Effect.Effect<Response, Problems.Failure> =>
    Effect.flatMap(gate.enter(facts, secret), ({ allowance, identity }) =>
      Effect.map(door.receive(identity, arrivalOf(request, query, body)), ({ id }) =>
        received(id, allowance === undefined ? {} : limitHeaders(facts.access.bucket, allowance))
      )
    )

  // What fails is looked at when all is over: a handler around each alert would cost every one of them.
  const run = (self: Effect.Effect<Response, Problems.Failure>, facts: RequestFacts): Promise<Response> =>
    new Promise((resolve) => {
      fork(self).addObserver((exit) => {
        if (Exit.isSuccess(exit)) resolve(Headers.finish(exit.value, facts.id))
        else
          fork(failed(exit.cause, facts)).addObserver((told) => {
            const response = Exit.isSuccess(told) ? told.value : Problems.respond(Fault.fault(facts.id))
            resolve(Headers.finish(response, facts.id))
          })
      })
    })

  const open = (request: Request, facts: RequestFacts, secret: string | undefined, query: string) => {
    const early = Body.ahead(request)
    const start = (body: Read) => run(answer(request, facts, secret, query, body), facts)
    return early === undefined
      ? start(Body.bytes(request))
      : early.then(
          (read) => start(Effect.succeed(read)),
          () => start(Effect.fail(aborted))
        )
  }
  const charting: LeanDoor = (request, arrived) => {
    const { key, rest } = keyOf(arrived.query)
    return open(request, { ...arrived, ...Routes.charting }, key, rest)
  }
  const alert: LeanDoor = (request, arrived) =>
    open(
      request,
      { ...arrived, ...Routes.alert },
      bearerOf(request.headers.get("authorization")),
      arrived.query
    )
  return new Map([
    [CHARTING_PATH, charting],
    [ALERT_PATH, alert]
  ])
})

/** The answer to an alert that was refused, or met a defect. */
const failed = (cause: Cause.Cause<Problems.Failure>, { access, id, operation }: RequestFacts) =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => Effect.map(Fault.report(cause, id, operation), (problem) => Problems.respond(problem)),
    onSome: (failure) => {
      const headers = failure._tag === "RateLimited" ? limitedHeaders(access.bucket, failure) : {}
      return Effect.succeed(Problems.respond(Problems.of(failure, id), headers))
    }
  })

const received = (id: number, limits: Record<string, string>): Response =>
  new Response(RECEIVED_JSON, {
    headers: { "content-type": "application/json", location: locationOf(id), ...limits }
  })
