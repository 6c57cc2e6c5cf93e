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
import type { Identity } from "../../domain/Account.ts"
import type { Door } from "../../domain/alert/Incoming.ts"
import { Accounts } from "../../services/Accounts.ts"
import type { Tested } from "../../services/Alerts.ts"
import type { Appended } from "../../services/Journal.ts"
import { bearerOf, type Entered, Gate, keyOf } from "../access/Gate.ts"
import * as Headers from "../edge/Headers.ts"
import * as Fault from "../Fault.ts"
import * as Problems from "../Problems.ts"
import { aborted, type RequestRejected } from "../RequestRejected.ts"
import * as Body from "../request/Body.ts"
import type { RequestFacts } from "../request/Request.ts"
import type { Operation } from "../routes/Operation.ts"
import { AlertDoor, type Arrival, arrivalOf } from "./AlertDoor.ts"
import * as KeyWarning from "./KeyWarning.ts"
import * as LeanResponses from "./LeanResponses.ts"

/** Answers one of the two alert operations: calls `answer` once. */
export type LeanDoor = (request: Request, facts: RequestFacts, answer: Answer) => void

type Answer = (response: Response, appended?: Appended) => void

/** A lean door, with its operation in the contract. */
export interface Doorway extends Operation {
  readonly door: Door
  readonly open: LeanDoor
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

type Read = Effect.Effect<Uint8Array, RequestRejected>

/** Makes the lean doors, by path. */
export const make = Effect.fnUntraced(function* (runtime: Runtime.Runtime<never>) {
  const clock = yield* Effect.clock
  const lanes = new Lanes({
    gate: yield* Gate,
    door: yield* AlertDoor,
    accounts: yield* Accounts,
    now: () => clock.unsafeCurrentTimeMillis(),
    warningsOf: yield* KeyWarning.make(runtime),
    fork: forking(runtime)
  })
  const charting: LeanDoor = (request, facts, answer) => {
    const { key, rest } = keyOf(facts.query)
    lanes.open({ door: "charting", request, facts, secret: key, query: rest, answer, isKeyed: true })
  }
  const alert: LeanDoor = (request, facts, answer) => {
    const secret = bearerOf(request.headers.get("authorization"))
    lanes.open({ door: "alert", request, facts, secret, query: facts.query, answer, isKeyed: false })
  }
  return new Map<string, Doorway>([
    [CHARTING_PATH, { ...CHARTING, door: "charting", open: charting }],
    [ALERT_PATH, { ...ALERT, door: "alert", open: alert }]
  ])
})

const forking = (runtime: Runtime.Runtime<never>) => {
  // Counting a fiber costs more than running it.
  const lean = Runtime.disableRuntimeFlag(runtime, RuntimeFlags.RuntimeMetrics)
  // Rejections are not logged: the caller gets them.
  return Runtime.runFork(Runtime.setFiberRef(lean, FiberRef.unhandledErrorLogLevel, Option.none()))
}

interface Parts {
  readonly gate: typeof Gate.Service
  readonly door: typeof AlertDoor.Service
  readonly accounts: typeof Accounts.Service
  readonly now: () => number
  readonly warningsOf: (identity: Identity) => ReadonlyArray<string>
  readonly fork: ReturnType<typeof forking>
}

/**
 * The two lanes of a lean door:
 * 1. A small body is read before its caller is authenticated; nothing of it is answered before that.
 * 2. A caller whose token is cached, with a valid alert that needs no look-up, needs no fiber: the short lane.
 * 3. Everybody else takes the same steps in a fiber: the long lane.
 */
class Lanes {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  open(caller: Caller): void {
    const early = Body.ahead(caller.request)
    if (early === undefined) return this.#long(caller, Body.bytes(caller.request))
    early
      .then(
        (body) => this.#short(caller, body),
        () => this.#long(caller, Effect.fail(aborted))
      )
      .catch((fault) => this.#refuse(caller, Cause.die(fault)))
  }

  #short(caller: Caller, body: Uint8Array): void {
    const { accounts, door, gate, now } = this.#parts
    const { facts, secret } = caller
    const at = now()
    const identity = secret === undefined ? undefined : accounts.recall(secret, at)
    if (identity === undefined) return this.#long(caller, Effect.succeed(body))
    const entry = gate.admit(facts, identity, at)
    if (entry === undefined) return this.#long(caller, Effect.succeed(body))
    if (Either.isLeft(entry)) return this.#refuse(caller, Cause.fail(entry.left))
    const entered = entry.right
    const isTaken = door.offer(identity, this.#arrival(caller, identity, body), at, (exit) => {
      if (Exit.isSuccess(exit)) this.#answer(caller, entered, exit.value)
      else this.#refuse(caller, exit.cause)
    })
    if (!isTaken) this.#fork(caller, this.#receive(caller, entered, Effect.succeed(body)))
  }

  #long(caller: Caller, body: Read): void {
    const { gate } = this.#parts
    const { facts, isKeyed, request, secret } = caller
    // A caller without a token may have a dashboard session, except at the door whose keys are in addresses.
    const entering =
      secret === undefined && !isKeyed
        ? gate.enterWith(facts, { method: request.method, header: (name) => request.headers.get(name) })
        : gate.enter(facts, secret)
    this.#fork(
      caller,
      Effect.flatMap(entering, (entered) => this.#receive(caller, entered, body))
    )
  }

  /** Takes in the alert of an admitted caller, and answers. */
  #receive(caller: Caller, entered: Entered, body: Read): Effect.Effect<void, Problems.Failure> {
    const { identity } = entered
    return Effect.map(this.#parts.door.receive(identity, this.#arrival(caller, identity, body)), (received) =>
      this.#answer(caller, entered, received)
    )
  }

  #arrival<B>({ door, isKeyed, query, request }: Caller, identity: Identity, body: B): Arrival<B> {
    return arrivalOf(request, {
      door,
      query,
      body,
      warnings: isKeyed ? this.#parts.warningsOf(identity) : []
    })
  }

  #answer({ answer, facts }: Caller, entered: Entered, received: Appended | Tested): void {
    if (received._tag === "Tested") answer(LeanResponses.tested(received, facts, entered))
    else answer(LeanResponses.received(received, facts, entered), received)
  }

  #fork(caller: Caller, self: Effect.Effect<void, Problems.Failure>): void {
    this.#parts.fork(self).addObserver((exit) => {
      if (Exit.isFailure(exit)) this.#refuse(caller, exit.cause)
    })
  }

  // Errors are handled at the end: a handler around each alert would slow every one of them.
  #refuse(caller: Caller, cause: Cause.Cause<Problems.Failure>): void {
    const { answer, facts } = caller
    this.#remember(caller, cause)
    this.#parts.fork(LeanResponses.refused(cause, facts)).addObserver((exit) => {
      const response = Exit.isSuccess(exit) ? exit.value : Problems.respond(Fault.fault(facts.id))
      answer(Headers.finish(response, facts.id))
    })
  }

  /** A caller over its rate limit is known, but never reached the door, which records other rejections. */
  #remember({ door: at, query, secret }: Caller, cause: Cause.Cause<Problems.Failure>): void {
    const { accounts, door, now } = this.#parts
    const failure = Option.getOrUndefined(Cause.failureOption(cause))
    // Failed authentications belong to no account.
    if (secret === undefined || failure?._tag !== "RateLimited" || failure.isAuthentication) return
    const known = accounts.recall(secret, now())
    if (known !== undefined) door.refused(known.account, failure, { door: at, query, body: undefined }, now())
  }
}
