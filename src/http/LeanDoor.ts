import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import { ALERT_PATH, CHARTING_PATH } from "../api/Alerts.ts"
import type { Appended } from "../services/Journal.ts"
import { AlertDoor, arrivalOf } from "./AlertDoor.ts"
import { locationOf, RECEIVED_JSON } from "./Alerts.ts"
import * as Body from "./Body.ts"
import * as Fault from "./Fault.ts"
import { bearerOf, type Entered, Gate, keyOf, limitedHeaders, limitHeaders } from "./Gate.ts"
import * as Headers from "./Headers.ts"
import * as Problems from "./Problems.ts"
import { aborted, type Refused } from "./Refused.ts"
import type { RequestFacts } from "./Request.ts"
import * as Routes from "./Routes.ts"

/** Answers one of the two alert operations, and never rejects. */
export type LeanDoor = (request: Request, arrived: Arrived) => Promise<Response>

/** What the edge knows of a request: the door adds what its operation asks of a caller. */
type Arrived = Omit<RequestFacts, "operation" | "access">

/** A request at a lean door: who says to send it, and the query without their key. */
interface Caller {
  readonly request: Request
  readonly facts: RequestFacts
  readonly secret: string | undefined
  readonly query: string
}

type Ended = Exit.Exit<Response, Problems.Failure>

/**
 * The alert operations without the router, the body reader and the tracer of the contract's server, which cost more
 * than all the rest: same gate, same door, same problems. A small body is read before its caller is known; nothing is
 * told of it before. An alert that needs no look-up and has no flaw, as nearly all, waits for its commit without a
 * fiber of its own: a fiber costs as much as everything else here. By path.
 */
export const make = Effect.fnUntraced(function* (runtime: Runtime.Runtime<never>) {
  const gate = yield* Gate
  const door = yield* AlertDoor
  const clock = yield* Effect.clock
  // Counting fibers costs more than this one does.
  const fork = Runtime.runFork(Runtime.disableRuntimeFlag(runtime, RuntimeFlags.RuntimeMetrics))

  const run = (self: Effect.Effect<Response, Problems.Failure>, facts: RequestFacts): Promise<Response> =>
    new Promise((resolve) => {
      fork(self).addObserver((exit) => end(exit, facts, resolve))
    })

  // What fails is looked at when all is over: a handler around each alert would cost every one of them.
  const end = (exit: Ended, facts: RequestFacts, resolve: (response: Response) => void): void => {
    if (Exit.isSuccess(exit)) return resolve(exit.value)
    fork(failed(exit.cause, facts)).addObserver((told) => {
      const response = Exit.isSuccess(told) ? told.value : Problems.respond(Fault.fault(facts.id))
      resolve(Headers.finish(response, facts.id))
    })
  }

  /** An alert whose caller was let in. */
  const receive = (
    { facts, query, request }: Caller,
    entered: Entered,
    body: Effect.Effect<Uint8Array, Refused>
  ): Effect.Effect<Response, Problems.Failure> =>
    Effect.map(door.receive(entered.identity, arrivalOf(request, query, body)), (appended) =>
      received(appended, facts, entered)
    )

  const answer = (caller: Caller, body: Effect.Effect<Uint8Array, Refused>): Promise<Response> =>
    run(
      Effect.flatMap(gate.enter(caller.facts, caller.secret), (entered) => receive(caller, entered, body)),
      caller.facts
    )

  /** The same at once, as far as that goes. */
  const answerNow = (caller: Caller, read: Uint8Array): Promise<Response> => {
    const { facts, query, request, secret } = caller
    const now = clock.unsafeCurrentTimeMillis()
    const entry = secret === undefined ? undefined : gate.enterAt(facts, secret, now)
    if (entry === undefined) return answer(caller, Effect.succeed(read))
    if (Either.isLeft(entry)) return run(Effect.fail(entry.left), facts)
    const entered = entry.right
    return new Promise((resolve) => {
      const taken = door.offer(entered.identity, arrivalOf(request, query, read), now, (exit) =>
        end(
          Exit.map(exit, (appended) => received(appended, facts, entered)),
          facts,
          resolve
        )
      )
      if (!taken) resolve(run(receive(caller, entered, Effect.succeed(read)), facts))
    })
  }

  const open = (caller: Caller): Promise<Response> => {
    const early = Body.ahead(caller.request)
    return early === undefined
      ? answer(caller, Body.bytes(caller.request))
      : early.then(
          (read) => answerNow(caller, read),
          () => answer(caller, Effect.fail(aborted))
        )
  }
  const charting: LeanDoor = (request, arrived) => {
    const { key, rest } = keyOf(arrived.query)
    return open({ request, facts: { ...arrived, ...Routes.charting }, secret: key, query: rest })
  }
  const alert: LeanDoor = (request, arrived) =>
    open({
      request,
      facts: { ...arrived, ...Routes.alert },
      secret: bearerOf(request.headers.get("authorization")),
      query: arrived.query
    })
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

/** The answer to an alert that is on disk. */
const received = (
  { id }: Appended,
  { access, id: requestId }: RequestFacts,
  { allowance }: Entered
): Response => {
  const headers = {
    "content-type": "application/json",
    location: locationOf(id),
    ...Headers.standing(requestId)
  }
  return new Response(RECEIVED_JSON, {
    headers: allowance === undefined ? headers : { ...headers, ...limitHeaders(access.bucket, allowance) }
  })
}
