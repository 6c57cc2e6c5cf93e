// The contract with all of its handlers and its router. The edge loads it with the first request that needs it, and
// passes it only paths and methods that the contract has.
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import type * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Runtime from "effect/Runtime"
import { Api } from "../api/Api.ts"
import * as Guard from "./access/Guard.ts"
import * as Alerts from "./alerts/Alerts.ts"
import * as Fault from "./Fault.ts"
import * as Problems from "./Problems.ts"
import { CurrentRequest, type RequestFacts } from "./request/Request.ts"
import * as AllTrades from "./routes/AllTrades.ts"
import * as Backtests from "./routes/Backtests.ts"
import * as Candles from "./routes/Candles.ts"
import * as Dashboard from "./routes/Dashboard.ts"
import * as Directory from "./routes/Directory.ts"
import * as Events from "./routes/Events.ts"
import * as History from "./routes/History.ts"
import * as Incoming from "./routes/Incoming.ts"
import * as Notifications from "./routes/Notifications.ts"
import * as Operator from "./routes/Operator.ts"
import * as Positions from "./routes/Positions.ts"
import * as RealMoney from "./routes/RealMoney.ts"
import * as Records from "./routes/Records.ts"
import * as Routes from "./routes/Routes.ts"
import * as Rules from "./routes/Rules.ts"
import * as Sessions from "./routes/Sessions.ts"
import * as Signals from "./routes/Signals.ts"
import * as Strategies from "./routes/Strategies.ts"
import * as Tokens from "./routes/Tokens.ts"

/** The contract as it is served. */
export interface Contract {
  readonly api: typeof HttpApi.Api.Service
  /** Looks up a path in the contract. */
  readonly find: typeof Routes.find
  /** Answers a request whose path and method the contract has. */
  readonly answer: (request: Request, facts: RequestFacts) => Promise<Response>
}

/** The contract with all its handlers, for any server of @effect/platform. */
const layer = HttpApiBuilder.api(Api).pipe(
  Layer.provide([
    Signals.layer,
    Strategies.layer,
    History.layer,
    Alerts.layer,
    Events.layer,
    Notifications.layer,
    Dashboard.layer,
    AllTrades.layer,
    Incoming.layer,
    Records.layer,
    Sessions.layer,
    Tokens.layer,
    Backtests.layer,
    Rules.layer,
    Operator.layer,
    Candles.layer,
    RealMoney.layer,
    Positions.layer,
    Directory.layerPublic,
    Directory.layerCopies
  ]),
  Layer.provide(Guard.layer)
)

const everything = Layer.mergeAll(
  layer,
  HttpApiBuilder.Router.Live,
  HttpApiBuilder.Middleware.layer,
  HttpServer.layerContext
)

/** Builds the contract and its router. */
export const make = Effect.gen(function* () {
  const built = yield* Layer.build(everything)
  // The HTTP tracer is off: it would write addresses into spans, and with them the webhook's key.
  const runtime = yield* HttpMiddleware.withTracerDisabledWhenEffect(
    Effect.provide(Effect.runtime<Layer.Layer.Success<typeof everything>>(), built),
    constTrue
  )
  const answer = yield* Effect.provide(router(runtime), built)
  return { api: Context.get(built, HttpApi.Api), find: Routes.find, answer } satisfies Contract
})

/** The contract's router as a function. A defect becomes a problem with the request's id. */
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
