import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import { ALERT, ALERT_PATH, CHARTING, CHARTING_PATH } from "../../api/AlertDoors.ts"
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
import * as KeyWarning from "./KeyWarning.ts"
import * as Readings from "./Readings.ts"

/** Answers one of the two alert operations: `answer` is called once. */
export type LeanDoor = (request: Request, facts: RequestFacts, answer: Answer) => void

type Answer = (response: Response, appended?: Appended) => void

/** A lean door, and what the contract says of its operation. */
export interface Doorway extends Operation {
  readonly door: Door
  readonly open: LeanDoor
}

/** The answer to an alert, and what became of it on disk, where it went there. */
interface Answered {
  readonly response: Response
  readonly appended?: Appended
}

/** A request at a lean door: what its sender is to prove who they are by, and the query without it. */
interface Caller {
  readonly door: Door
  readonly request: Request
  readonly facts: RequestFacts
  readonly secret: string | undefined
  readonly query: string
  readonly answer: Answer
  /** What they prove it by stands in the address. */
  readonly isKeyed: boolean
}

type Read = Effect.Effect<Uint8Array, Refused>

/**
 * The alert operations without the router, the body reader and the tracer of the contract's server, which cost more
 * than all the rest: same gate, same door, same problems. A small body is read before its caller is known; nothing is
 * told of it before. An alert that needs no look-up and has no flaw, as nearly all, waits for its commit without a
 * fiber of its own: a fiber costs as much as everything else here. By path.
 */
export const make = Effect.fnUntraced(function* (runtime: Runtime.Runtime<never>) {
  const gate = yield* Gate
  const door = yield* AlertDoor
  const accounts = yield* Accounts
  const clock = yield* Effect.clock
  const warningsOf = yield* KeyWarning.make(runtime)
  // Counting fibers costs more than this one does.
  const lean = Runtime.disableRuntimeFlag(runtime, RuntimeFlags.RuntimeMetrics)
  // Nor is a refusal worth a line: who calls is told.
  const fork = Runtime.runFork(Runtime.setFiberRef(lean, FiberRef.unhandledErrorLogLevel, Option.none()))

  const run = (caller: Caller, self: Effect.Effect<Answered, Problems.Failure>): void => {
    fork(self).addObserver((exit) => {
      if (Exit.isSuccess(exit)) caller.answer(exit.value.response, exit.value.appended)
      else refuse(caller, exit.cause)
    })
  }

  // What fails is looked at when all is over: a handler around each alert would cost every one of them.
  const refuse = (caller: Caller, cause: Cause.Cause<Problems.Failure>): void => {
    const { answer, facts, secret } = caller
    // Who is over the limit is known, and did not come as far as the door.
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
  /** Who shows no token may be signed in to the dashboard: not at the door whose keys stand in addresses. */
  const entering = ({ facts, isKeyed, request, secret }: Caller) =>
    secret === undefined && !isKeyed
      ? gate.enterWith(facts, { method: request.method, header: (name) => request.headers.get(name) })
      : gate.enter(facts, secret)

  /** An alert whose caller was let in. */
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

  /** The same at once, as far as that goes. */
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
    early.then(
      (body) => enterNow(caller, body),
      () => enter(caller, Effect.fail(aborted))
    )
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

/** Over the limit of alerts: the one of wrong tokens is nobody's. */
const isLimited = (cause: Cause.Cause<Problems.Failure>): boolean =>
  Option.exists(
    Cause.failureOption(cause),
    (failure) => failure._tag === "RateLimited" && !failure.isAuthentication
  )

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
const received = ({ id }: Appended, facts: RequestFacts, entered: Entered): Response =>
  answered(
    Readings.RECEIVED_JSON,
    { "content-type": "application/json", location: Readings.locationOf(id) },
    facts,
    entered
  )

/** The answer to a test alert. */
const tested = (result: Tested, facts: RequestFacts, entered: Entered): Response =>
  answered(
    Readings.testedJson(result, entered.identity),
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
