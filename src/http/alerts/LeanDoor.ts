// The alert operations without the contract's router, body reader and tracer, which cost more than everything else: the
// same gate, the same `AlertDoor`, the same problems. Nearly every alert waits for its commit without a fiber of its
// own.
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import { ALERT, ALERT_PATH, CHARTING, CHARTING_PATH } from "../../api/AlertOperations.ts"
import type { AccountId } from "../../domain/Account.ts"
import type { Door } from "../../domain/alert/Incoming.ts"
import { Accounts } from "../../services/Accounts.ts"
import type { Appended } from "../../services/Journal.ts"
import { bearerOf, type Entered, Gate, keyOf, limitedHeaders, limitHeaders } from "../access/Gate.ts"
import * as Headers from "../edge/Headers.ts"
import * as Fault from "../Fault.ts"
import * as Problems from "../Problems.ts"
import { aborted, type Refused } from "../Refused.ts"
import * as Body from "../request/Body.ts"
import type { RequestFacts } from "../request/Request.ts"
import type { Operation } from "../routes/Operation.ts"
import { AlertDoor, type Arrival, arrivalOf, type Tested } from "./AlertDoor.ts"
import * as AlertResponses from "./AlertResponses.ts"
import * as KeyWarning from "./KeyWarning.ts"

/** Answers one of the two alert operations: calls `answer` once. */
export type LeanDoor = (request: Request, facts: RequestFacts, answer: Answer) => void

type Answer = (response: Response, appended?: Appended) => void

/** A lean door, with its operation in the contract. */
export interface Doorway extends Operation {
  readonly door: Door
  readonly open: LeanDoor
}

/** The response to an alert, and its result on disk, if any. */
interface Answered {
  readonly response: Response
  readonly appended?: Appended
}

/** A request at a lean door: its secret, and the query without it. */
interface Caller {
  readonly door: Door
  readonly request: Request
  readonly facts: RequestFacts
  readonly secret: string | undefined
  readonly query: string
  readonly answer: Answer
  /** The secret is in the address. */
  readonly isKeyed: boolean
}

type Read = Effect.Effect<Uint8Array, Refused>

/**
 * Makes the lean doors, by path. A small body is read before its caller is authenticated; nothing of it is answered
 * before that.
 */
export const make = Effect.fnUntraced(function* (runtime: Runtime.Runtime<never>) {
  const gate = yield* Gate
  const door = yield* AlertDoor
  const accounts = yield* Accounts
  const clock = yield* Effect.clock
  const warningsOf = yield* KeyWarning.make(runtime)
  // Counting a fiber costs more than running it.
  const lean = Runtime.disableRuntimeFlag(runtime, RuntimeFlags.RuntimeMetrics)
  // Rejections are not logged: the caller gets them.
  const fork = Runtime.runFork(Runtime.setFiberRef(lean, FiberRef.unhandledErrorLogLevel, Option.none()))

  const run = (caller: Caller, self: Effect.Effect<Answered, Problems.Failure>): void => {
    fork(self).addObserver((exit) => {
      if (Exit.isSuccess(exit)) caller.answer(exit.value.response, exit.value.appended)
      else refuse(caller, exit.cause)
    })
  }

  // Errors are handled at the end: a handler around each alert would slow every one of them.
  const refuse = (caller: Caller, cause: Cause.Cause<Problems.Failure>): void => {
    const { answer, facts, secret } = caller
    // A caller over its rate limit is known, but never reached the door, which records other rejections.
    const limited = secret !== undefined && isLimited(cause)
    const known = limited ? accounts.recall(secret, clock.unsafeCurrentTimeMillis()) : undefined
    if (known !== undefined) remember(caller, known.account, cause, undefined)
    fork(failed(cause, facts)).addObserver((told) => {
      const response = Exit.isSuccess(told) ? told.value : Problems.respond(Fault.fault(facts.id))
      answer(Headers.finish(response, facts.id))
    })
  }

  const remember = (
    { door: at, query }: Caller,
    account: AccountId,
    cause: Cause.Cause<Problems.Failure>,
    body: Uint8Array | undefined
  ): void =>
    Option.match(Cause.failureOption(cause), {
      onNone: () => undefined,
      onSome: (failure) =>
        door.refused(account, { door: at, query, body }, failure, clock.unsafeCurrentTimeMillis())
    })

  const enter = (caller: Caller, body: Read): void =>
    run(
      caller,
      Effect.flatMap(entering(caller), (entered) => receive(caller, entered, body))
    )
  /** A caller without a token may have a dashboard session, except at the door whose keys are in addresses. */
  const entering = ({ facts, isKeyed, request, secret }: Caller) =>
    secret === undefined && !isKeyed
      ? gate.enterWith(facts, { method: request.method, header: (name) => request.headers.get(name) })
      : gate.enter(facts, secret)

  /** Stores the alert of an admitted caller. */
  const receive = (caller: Caller, entered: Entered, body: Read): Effect.Effect<Answered, Problems.Failure> =>
    Effect.map(door.receive(entered.identity, arrivalAt(caller, entered, body)), (result) =>
      result._tag === "Tested"
        ? { response: tested(result, caller.facts, entered) }
        : { response: received(result, caller.facts, entered), appended: result }
    )
  const arrivalAt = <B>(
    { door, isKeyed, query, request }: Caller,
    { identity }: Entered,
    body: B
  ): Arrival<B> => arrivalOf(door, request, query, body, isKeyed ? warningsOf(identity) : [])

  /** `enter` without a fiber, as far as possible. */
  const enterNow = (caller: Caller, body: Uint8Array): void => {
    const { facts, secret } = caller
    const now = clock.unsafeCurrentTimeMillis()
    const entry = secret === undefined ? undefined : gate.enterAt(facts, secret, now)
    if (entry === undefined) return enter(caller, Effect.succeed(body))
    if (Either.isLeft(entry)) return refuse(caller, Cause.fail(entry.left))
    const entered = entry.right
    const taken = door.offer(entered.identity, arrivalAt(caller, entered, body), now, (exit) => {
      if (Exit.isSuccess(exit)) caller.answer(received(exit.value, facts, entered), exit.value)
      else {
        remember(caller, entered.identity.account, exit.cause, body)
        refuse(caller, exit.cause)
      }
    })
    if (!taken) run(caller, receive(caller, entered, Effect.succeed(body)))
  }

  const open = (caller: Caller): void => {
    const early = Body.ahead(caller.request)
    if (early === undefined) return enter(caller, Body.bytes(caller.request))
    early
      .then(
        (body) => enterNow(caller, body),
        () => enter(caller, Effect.fail(aborted))
      )
      .catch((fault) => refuse(caller, Cause.die(fault)))
  }
  const charting: LeanDoor = (request, facts, answer) => {
    const { key, rest } = keyOf(facts.query)
    open({ door: "charting", request, facts, secret: key, query: rest, answer, isKeyed: true })
  }
  const alert: LeanDoor = (request, facts, answer) =>
    open({
      door: "alert",
      request,
      facts,
      secret: bearerOf(request.headers.get("authorization")),
      query: facts.query,
      answer,
      isKeyed: false
    })
  return new Map<string, Doorway>([
    [CHARTING_PATH, { ...CHARTING, door: "charting", open: charting }],
    [ALERT_PATH, { ...ALERT, door: "alert", open: alert }]
  ])
})

/** Whether the rate limit of alerts was hit: failed authentications belong to no account. */
const isLimited = (cause: Cause.Cause<Problems.Failure>): boolean =>
  Option.exists(
    Cause.failureOption(cause),
    (failure) => failure._tag === "RateLimited" && !failure.isAuthentication
  )

/** The response to an alert that was rejected or met a fault. */
const failed = (cause: Cause.Cause<Problems.Failure>, { access, id, operation }: RequestFacts) =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => Effect.map(Fault.report(cause, id, operation), (problem) => Problems.respond(problem)),
    onSome: (failure) => {
      const headers = failure._tag === "RateLimited" ? limitedHeaders(access.bucket, failure) : {}
      return Effect.succeed(Problems.respond(Problems.of(failure, id), headers))
    }
  })

/** The response to a stored alert. */
const received = ({ id }: Appended, facts: RequestFacts, entered: Entered): Response =>
  answered(
    AlertResponses.RECEIVED_JSON,
    { "content-type": "application/json", location: AlertResponses.locationOf(id) },
    facts,
    entered
  )

/** The response to a test alert. */
const tested = (result: Tested, facts: RequestFacts, entered: Entered): Response =>
  answered(
    AlertResponses.testedJson(result, entered.identity),
    { "content-type": "application/json" },
    facts,
    entered
  )

const answered = (
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
