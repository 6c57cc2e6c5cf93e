// The whole server as one function from `Request` to `Response`, in-process in tests and behind a socket in `serve`.
// Checks come in a fixed sequence: a path's 404 and 405 here; 401, 403, 429 in the gate; 413, 415, 400 with the body; a
// record's 404 and 422 in the handlers.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import type { Code, StatusOf } from "../../api/shared/Codes.ts"
import type { RouteMeter } from "../../services/health/Meters.ts"
import { Gate } from "../access/Gate.ts"
import * as Origin from "../access/Origin.ts"
import { AlertDoor } from "../alerts/AlertDoor.ts"
import * as LeanDoor from "../alerts/LeanDoor.ts"
import type * as Contract from "../Contract.ts"
import * as Fault from "../Fault.ts"
import * as Problems from "../Problems.ts"
import type { PageRequest, RequestFacts } from "../request/Request.ts"
import { allowed, OF_PAGE, type Operation, type Operations } from "../routes/Operation.ts"
import * as Sending from "../Sending.ts"
import { Departure } from "./Departure.ts"
import * as Drain from "./Drain.ts"
import { EventStreams } from "./EventStreams.ts"
import * as Headers from "./Headers.ts"
import * as Health from "./Health.ts"
import * as Help from "./Help.ts"
import * as OwnPages from "./OwnPages.ts"
import * as RequestIds from "./RequestIds.ts"
import * as RequestMetrics from "./RequestMetrics.ts"
import { targetOf } from "./Target.ts"

/**
 * Answers any request, and never rejects. `peer` returns the caller's address, and `isForwarded` whether a trusted
 * proxy passed the request on; both are called only where needed. `linger` sets how many seconds the connection may be
 * quiet.
 */
export type Handler = (
  request: Request,
  peer: () => string,
  isForwarded?: () => boolean,
  linger?: RequestFacts["linger"]
) => Promise<Response>

export interface Edge {
  readonly handle: Handler
  /** Answers on a port with the two alert doors and health alone: every other path is 404. */
  readonly handleAlerts: Handler
  /** Answers on a port with the metrics alone, for every program of this machine. */
  readonly handleMetrics: Handler
  /** Drains: not ready from now on, soon 503 for new requests; ends when those in flight have their responses. */
  readonly drain: Effect.Effect<void>
}

export interface Options extends OwnPages.Options {
  /** Pages besides the contract (a dashboard): called for every path that is not one of the server's own. */
  readonly pages?: (path: string) => OwnPages.Page | undefined
  /** The pages that explain a problem's code, for the header `Link`; without them there is no such header. */
  readonly help?: Help.Help
}

const doorways = Layer.mergeAll(Gate.layer, AlertDoor.layer, EventStreams.layer)

/** Makes the edge. */
export const make = Effect.fn("http.Edge.make")(function* (options: Options = {}) {
  const context = yield* Layer.build(doorways)
  const runtime = yield* Effect.provide(Effect.runtime<Layer.Layer.Success<typeof doorways>>(), context)
  const doors = yield* Effect.provide(LeanDoor.make(runtime), context)
  const contract = yield* lazyContract(context)
  const own = yield* Effect.provide(OwnPages.make(options), context)
  const nextId = yield* RequestIds.make
  const drain = Drain.make()
  const runPromise = Runtime.runPromise(runtime)
  const witness = yield* RequestMetrics.make
  const { meters } = witness
  const sending = Sending.make(witness.now)
  const doorMeters = new Map([...doors.keys()].map((path) => [path, meters.route(path, "POST")]))

  const answer = (request: Request, facts: Arrived, isWhole: boolean): Found => {
    const { id, path, peer } = facts
    const whole = own.page(path, drain.stopping) ?? options.pages?.(path)
    const page = isWhole || whole === undefined ? whole : Health.bare
    if (page === undefined)
      return drain.draining()
        ? goAway(id)
        : drain.track(contract.get().then((it) => byContract(it, request, facts)))
    return byPage(page, { id, peer, request })
  }
  const byPage = (page: OwnPages.Page, pageRequest: PageRequest): Found => {
    const operation = operationOf(OF_PAGE, pageRequest.request.method, pageRequest.id)
    if (operation instanceof Response) return operation
    return runPromise(
      Fault.caught(
        Effect.map(
          Effect.tryPromise(() => page(pageRequest)),
          (response) => response ?? notFound(pageRequest.id)
        ),
        pageRequest.id,
        "page"
      )
    )
  }
  /** The meter of a request. Unknown paths share one, so that callers cannot create meters. */
  const meterOf = (path: string, method: string): RouteMeter =>
    meters.route(routeOf(path), METHODS.has(method) ? method : "other")
  const routeOf = (path: string): string => {
    if (own.page(path, drain.stopping) !== undefined) return own.routeOf(path)
    if (doors.has(path)) return path
    // A path that the contract answered finds the contract loaded.
    return options.pages?.(path) === undefined ? (contract.loaded()?.find(path)?.route ?? "none") : "pages"
  }
  const seen = (arrived: Begun, meter: () => RouteMeter, found: Found) =>
    finished(found, arrived, sending).then((response) => {
      witness.see({ ...arrived, meter: meter(), response })
      return response
    })
  const nowhere = () => meters.route("none", "other")
  const { help } = options
  const helped = (response: Response): Found =>
    help === undefined || response.status < 400 ? response : Help.linked(response, help)

  /** Serves every path, or only the doors and health. */
  const handlerOf = (isWhole: boolean): Handler => {
    // Only the port that serves the pages links to them.
    const answered = isWhole ? helped : itself
    return (request, peer, isForwarded = never, linger = nothing) => {
      const id = nextId()
      const startedAt = witness.now()
      const target = targetOf(request)
      const inbound = { request, id, startedAt, peer }
      if (target === undefined) return seen(inbound, nowhere, malformedHost(id)).then(answered)
      const { path, query } = target
      const origin = () => Origin.of(request, isForwarded())
      const arrived = { id, path, query, peer, origin, linger, takesSessions: isWhole }
      const doorway = doors.get(path)
      const meter = doorMeters.get(path)
      if (doorway === undefined || meter === undefined || request.method !== "POST" || drain.draining()) {
        if (!isWhole && doorway === undefined && path !== HEALTH) return seen(inbound, nowhere, notFound(id))
        const measured = () => meterOf(path, request.method)
        return seen(inbound, measured, answer(request, arrived, isWhole)).then(answered)
      }
      const { access, door, open, operation } = doorway
      return new Promise((resolve) => {
        drain.requestBegan()
        open(request, { ...arrived, operation, access }, (response, appended) => {
          witness.see({ request, id, meter, startedAt, response, door, appended })
          resolve(answered(drain.ended(response)))
        })
      })
    }
  }
  const handleMetrics: Handler = (request, peer) => {
    const id = nextId()
    const startedAt = witness.now()
    const inbound = { request, id, startedAt, peer }
    const target = targetOf(request)
    if (target === undefined) return seen(inbound, nowhere, malformedHost(id))
    if (target.path !== METRICS) return seen(inbound, nowhere, notFound(id))
    const measured = () => meterOf(METRICS, request.method)
    return seen(inbound, measured, byPage(own.metrics, { id, peer, request }))
  }
  // Streams never end by themselves: they are ended, and their readers reconnect to the next server.
  const { end } = Context.get(context, EventStreams)
  const { leave } = yield* Departure
  return {
    handle: handlerOf(true),
    handleAlerts: handlerOf(false),
    handleMetrics,
    drain: drain.start(Effect.zipRight(leave, end))
  } satisfies Edge
})

/** Answers from the contract, or with 404 or 405. */
const byContract = ({ answer, find }: Contract.Contract, request: Request, facts: Arrived): Found => {
  const found = find(facts.path)
  if (found === undefined) return notFound(facts.id)
  const operation = operationOf(found.operations, request.method, facts.id)
  if (operation instanceof Response) return operation
  return answer(at(request, facts, found.path), { ...facts, path: found.path, ...operation })
}

/** The operation of a path by this method, or the response where there is none. */
const operationOf = (operations: Operations, method: string, id: string): Operation | Response => {
  const allow = allowed(operations)
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } })
  return (
    operations.get(method === "HEAD" ? "GET" : method) ??
    Problems.respond(Problems.make(405, "method_not_allowed", `this path takes ${allow}`, id), { allow })
  )
}

/** The request as the router should see it. */
const at = (request: Request, { path, query }: Arrived, found: string): Request =>
  path === found ? request : new Request(`http://localhost${found}?${query}`, request)

type Found = Promise<Response> | Response

const never = () => false
const nothing = () => {}
const itself = (response: Response) => response

/** The health page: the only page on the alerts' port. */
const HEALTH = "/healthz"
/** The metrics page: the only page on the metrics' port. */
const METRICS = "/metrics"

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

type Arrived = Omit<RequestFacts, "operation" | "access">

/** A request as it came. */
interface Begun {
  readonly request: Request
  readonly id: string
  readonly startedAt: number
  readonly peer: () => string
}

const finished = async (found: Found, { id, peer, request }: Begun, sending: Sending.Sending) => {
  const response = Headers.finish(await found, id)
  return sending.isLarge(request, response)
    ? Headers.finish(await sending.send(response, peer(), id), id)
    : response
}

const refusal = <C extends Code>(id: string, status: StatusOf<C>, code: C, text: string) =>
  Problems.respond(Problems.make(status, code, text, id))

const notFound = (id: string) => refusal(id, 404, "not_found", "there is no such path")
const malformedHost = (id: string) =>
  refusal(id, 400, "malformed_host", "the Host header is not one host name")

const goAway = (id: string) =>
  Problems.respond(Problems.make(503, "draining", "the server is going down: send the request again", id), {
    connection: "close"
  })

/** The services that the contract needs besides the doorways. */
type Beneath = Exclude<
  Effect.Effect.Context<typeof Contract.make>,
  Layer.Layer.Success<typeof doorways> | Scope.Scope
>

/**
 * The contract with its router, loaded and built with the first request for it: health and the alert doors do not need
 * it, and the server listens sooner. It lives as long as the edge.
 */
const lazyContract = (context: Context.Context<Layer.Layer.Success<typeof doorways>>) =>
  Effect.gen(function* () {
    // A scope of its own: the first request for it may come while the edge's scope is closing, and is still answered.
    const scope = yield* Effect.flatMap(Effect.scope, (edge) =>
      Scope.fork(edge, ExecutionStrategy.sequential)
    )
    const beneath = yield* Effect.runtime<Beneath>()
    const build = Effect.flatMap(
      Effect.promise(() => import("../Contract.ts")),
      ({ make }) => make
    )
    const start = () =>
      Runtime.runPromise(beneath)(Effect.provide(Effect.provideService(build, Scope.Scope, scope), context))
    let started: Promise<Contract.Contract> | undefined
    let loaded: Contract.Contract | undefined
    const get = () => {
      started ??= start().then((contract) => {
        loaded = contract
        return contract
      })
      return started
    }
    return { get, loaded: () => loaded }
  })
