import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import type * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import { constTrue } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import { Api } from "../api/Api.ts"
import type { RouteMeter } from "../services/Meters.ts"
import { AlertDoor } from "./AlertDoor.ts"
import * as Alerts from "./Alerts.ts"
import * as Backtests from "./Backtests.ts"
import * as Dashboard from "./Dashboard.ts"
import * as Drain from "./Drain.ts"
import { EventStreams } from "./EventStreams.ts"
import * as Events from "./Events.ts"
import * as Fault from "./Fault.ts"
import * as Gate from "./Gate.ts"
import * as Headers from "./Headers.ts"
import * as Health from "./Health.ts"
import * as History from "./History.ts"
import * as Incoming from "./Incoming.ts"
import * as LeanDoor from "./LeanDoor.ts"
import * as Notifications from "./Notifications.ts"
import * as Operator from "./Operator.ts"
import * as Origin from "./Origin.ts"
import * as OwnPages from "./OwnPages.ts"
import * as Problems from "./Problems.ts"
import { CurrentRequest, type RequestFacts } from "./Request.ts"
import * as RequestIds from "./RequestIds.ts"
import * as Routes from "./Routes.ts"
import * as Sessions from "./Sessions.ts"
import * as Signals from "./Signals.ts"
import * as Strategies from "./Strategies.ts"
import { targetOf } from "./Target.ts"
import * as Tokens from "./Tokens.ts"
import * as Witness from "./Witness.ts"

/**
 * Answers any request, and never rejects. `peer` is asked for the caller's address only where it is needed, and
 * `isForwarded` whether a proxy passed the request on whose word is taken; `linger` is told how many seconds the
 * connection may be quiet.
 */
export type Handler = (
  request: Request,
  peer: () => string,
  isForwarded?: () => boolean,
  linger?: RequestFacts["linger"]
) => Promise<Response>

export interface Edge {
  readonly handle: Handler
  /** The same for a port where only the two alert doors and health answer: nothing else is there. */
  readonly handleAlerts: Handler
  /** From now on we are not ready, and soon new requests are told to go away; ends when those in flight have answers. */
  readonly drain: Effect.Effect<void>
}

export interface Options extends OwnPages.Options {
  /** Pages beside the contract (a dashboard): asked about every path that is not the server's own. */
  readonly pages?: (path: string) => OwnPages.Page | undefined
}

/** The contract with all its handlers, for any server of @effect/platform. */
export const contract = HttpApiBuilder.api(Api).pipe(
  Layer.provide([
    Signals.layer,
    Strategies.layer,
    History.layer,
    Alerts.layer,
    Events.layer,
    Notifications.layer,
    Dashboard.layer,
    Incoming.layer,
    Sessions.layer,
    Tokens.layer,
    Backtests.layer,
    Operator.layer
  ]),
  Layer.provide(Gate.layer)
)

const doorways = Layer.mergeAll(Gate.Gate.layer, AlertDoor.layer, EventStreams.layer)

const everything = Layer.mergeAll(
  contract,
  HttpApiBuilder.Router.Live,
  HttpApiBuilder.Middleware.layer,
  HttpServer.layerContext
)

/**
 * The whole server as one function from Request to Response: in-process in tests, behind a socket in `serve`. Checks
 * come in a fixed order: a path's 404 and 405 here; 401, 403 and 429 in the gate; 413, 415 and 400 where the body is
 * read; a record's 404 and 422 in the handlers.
 */
export const make = Effect.fn("http.Edge.make")(function* (options: Options = {}) {
  const context = yield* Layer.build(doorways)
  const runtime = yield* runtimeOf(context)
  const doors = yield* Effect.provide(LeanDoor.make(runtime), context)
  const contracted = yield* lazyContract(context)
  const own = yield* Effect.provide(
    OwnPages.make(() => contracted().then(({ api }) => api), options),
    context
  )
  const nextId = yield* RequestIds.make
  const drain = Drain.make()
  const runPromise = Runtime.runPromise(runtime)
  const witness = yield* Witness.make
  const { meters } = witness
  const doorMeters = new Map([...doors.keys()].map((path) => [path, meters.route(path, "POST")]))

  const answer = (request: Request, facts: Arrived, isWhole: boolean): Found => {
    const { id, path, peer } = facts
    const whole = own(path, drain.stopping) ?? options.pages?.(path)
    const page = isWhole || whole === undefined ? whole : Health.bare
    if (page === undefined && drain.draining()) return goAway(id)
    const found = page === undefined ? Routes.find(path) : { operations: Routes.PAGE, path }
    if (found === undefined) return notFound(id)
    const allow = Routes.allow(found.operations)
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } })
    const operation = found.operations.get(request.method === "HEAD" ? "GET" : request.method)
    if (operation === undefined)
      return refusal(id, 405, "method_not_allowed", `this path takes ${allow}`, { allow })
    if (page !== undefined)
      return runPromise(
        Fault.caught(
          Effect.map(
            Effect.tryPromise(() => page({ id, peer, request })),
            (response) => response ?? notFound(id)
          ),
          id,
          "page"
        )
      )
    const known = { ...facts, path: found.path, ...operation }
    return drain.track(contracted().then(({ routes }) => routes(at(request, facts, found.path), known)))
  }
  /** The route as it is measured: what strangers make up is one. */
  const meterOf = (path: string, method: string): RouteMeter => {
    const known = METHODS.has(method) ? method : "other"
    if (own(path, drain.stopping) !== undefined) return meters.route(path, known)
    const route = options.pages?.(path) === undefined ? Routes.find(path)?.route : "pages"
    return meters.route(route ?? "none", known)
  }
  const seen = (request: Request, id: string, startedAt: number, meter: () => RouteMeter, found: Found) =>
    finished(found, id).then((response) => {
      witness.see({ request, id, meter: meter(), startedAt, response })
      return response
    })
  const nowhere = () => meters.route("none", "other")

  /** Serves every path, or only the doors and health. */
  const handlerOf =
    (isWhole: boolean): Handler =>
    (request, peer, isForwarded = never, linger = nothing) => {
      const id = nextId()
      const startedAt = witness.now()
      const target = targetOf(request)
      if (target === undefined) return seen(request, id, startedAt, nowhere, malformedHost(id))
      const { path, query } = target
      const origin = () => Origin.of(request, isForwarded())
      const arrived = { id, path, query, peer, origin, linger, takesSessions: isWhole }
      const doorway = doors.get(path)
      const meter = doorMeters.get(path)
      if (doorway === undefined || meter === undefined || request.method !== "POST" || drain.draining()) {
        if (!isWhole && doorway === undefined && path !== HEALTH)
          return seen(request, id, startedAt, nowhere, notFound(id))
        const measured = () => meterOf(path, request.method)
        return seen(request, id, startedAt, measured, answer(request, arrived, isWhole))
      }
      const { access, door, open, operation } = doorway
      return new Promise((resolve) => {
        drain.begun()
        open(request, { ...arrived, operation, access }, (response, appended) => {
          witness.see({ request, id, meter, startedAt, response, door, appended })
          resolve(drain.ended(response))
        })
      })
    }
  // Streams never end by themselves: they are ended, and their readers come again to whoever serves next.
  const { end } = Context.get(context, EventStreams)
  const ended = Effect.zipRight(end, drain.start)
  return { handle: handlerOf(true), handleAlerts: handlerOf(false), drain: ended } satisfies Edge
})

/** The request as the router is to see it. */
const at = (request: Request, { path, query }: Arrived, found: string): Request =>
  path === found ? request : new Request(`http://localhost${found}?${query}`, request)

type Found = Promise<Response> | Response

const never = () => false
const nothing = () => {}

/** The one page that every port has. */
const HEALTH = "/healthz"

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

type Arrived = Omit<RequestFacts, "operation" | "access">

const finished = async (response: Found, id: string) => Headers.finish(await response, id)

const refusal = (
  id: string,
  status: number,
  code: string,
  text: string,
  headers: Record<string, string> = {}
) => Problems.respond(Problems.make(status, code, text, id), headers)

const notFound = (id: string) => refusal(id, 404, "not_found", "there is no such path")
const malformedHost = (id: string) =>
  refusal(id, 400, "malformed_host", "the Host header is not one host name")

const goAway = (id: string) =>
  refusal(id, 503, "draining", "the server is going down: send the request again", { connection: "close" })

/** The HTTP tracer is off: it would write addresses into spans, and with them the webhook's key. */
const runtimeOf = <R>(context: Context.Context<R>) =>
  HttpMiddleware.withTracerDisabledWhenEffect(Effect.provide(Effect.runtime<R>(), context), constTrue)

/** What the contract and its handlers ask for beyond the two doorways. */
type Beneath = Exclude<Layer.Layer.Context<typeof everything>, Layer.Layer.Success<typeof doorways>>

/**
 * The contract with its router, built when it is first asked for: health and the alert doors do without, and the
 * server listens sooner. It lives as long as the edge.
 */
const lazyContract = (context: Context.Context<Layer.Layer.Success<typeof doorways>>) =>
  Effect.gen(function* () {
    // Of its own, since it may first be asked for when the edge's is closing already, and those in flight are answered.
    const scope = yield* Effect.flatMap(Effect.scope, (edge) =>
      Scope.fork(edge, ExecutionStrategy.sequential)
    )
    const beneath = yield* Effect.runtime<Beneath>()
    const build = Effect.gen(function* () {
      const built = yield* Layer.buildWithScope(everything, scope)
      const runtime = yield* runtimeOf(built)
      return { api: Context.get(built, HttpApi.Api), routes: yield* Effect.provide(router(runtime), built) }
    })
    const start = () => Runtime.runPromise(beneath)(Effect.provide(build, context))
    let started: ReturnType<typeof start> | undefined
    return () => {
      started ??= start()
      return started
    }
  })

/** The contract's own router, which only ever sees paths and methods of the contract. */
const router = (runtime: Runtime.Runtime<HttpRouter.HttpRouter.DefaultServices>) =>
  Effect.map(HttpApiBuilder.httpApp, (app) => {
    const safe = Effect.catchAllCause(app, (cause) =>
      Effect.flatMap(CurrentRequest, ({ id, operation }) =>
        Effect.map(Fault.report(cause, id, operation), (problem) =>
          HttpServerResponse.fromWeb(Problems.respond(problem))
        )
      )
    )
    const handler = HttpApp.toWebHandlerRuntime(runtime)(safe)
    return (request: Request, facts: RequestFacts) => handler(request, Context.make(CurrentRequest, facts))
  })
