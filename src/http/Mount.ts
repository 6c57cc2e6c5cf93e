// The HTTP interface without a listener, to be mounted in a server of the embedder's: one function from a web `Request`
// to a `Response` that never rejects.
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Edge from "./edge/Edge.ts"
import * as Problems from "./Problems.ts"
import { Program } from "./Program.ts"
import type { ReferencePage } from "./views/Docs.ts"
import { requestOf } from "./Web.ts"

/** Options for mounting the interface in your app. */
export interface Options {
  /**
   * The path under which it is mounted, like `/trading`; absent where it has all paths. Addresses in its answers
   * (`Location`, `Link`, templates, the servers of OpenAPI) begin with it.
   */
  readonly prefix?: `/${string}`
  /** The version of your app, shown by the dashboard. */
  readonly version?: string
  /** The reference page at `/docs`, from `signalbox/http/docs`; absent, that path is 404. */
  readonly docs?: ReferencePage
}

/**
 * Answers any web `Request`, and never rejects. `peer` is the caller's network address: failed authentications are
 * limited by it; without it, all callers count as one.
 */
export type Handle = (request: Request, peer?: string) => Promise<Response>

/** How long closing the layer waits for requests in flight (seconds). */
const DRAIN_SECONDS = 8

/**
 * The whole HTTP interface without a listener: authentication, limits, problem documents and all operations. Runs on
 * Bun, on Node, and wherever there are web requests.
 */
export class Http extends Context.Tag("signalbox/http/Http")<
  Http,
  { readonly handle: Handle; readonly mountPath: string }
>() {
  /**
   * Makes the interface over the services of `Memory.layer` or the real server. Closing it waits for requests in
   * flight.
   */
  static readonly layer = (options: Options = {}) => Layer.scoped(Http, make(options))
}

const make = Effect.fn("http.Mount.make")(function* ({ docs, prefix = "/", version = "unknown" }: Options) {
  const mountPath = prefix.replace(/\/+$/, "")
  const edge = Edge.make(docs === undefined ? {} : { docs })
  const { drain, handle } = yield* Effect.provideService(edge, Program, { version, mountPath })
  yield* Effect.addFinalizer(() =>
    drain.pipe(Effect.interruptible, Effect.timeout(`${DRAIN_SECONDS} seconds`), Effect.ignore)
  )
  return {
    mountPath,
    handle: async (request, peer = "unknown") => {
      const ours = beneath(mountPath, request)
      return ours === undefined ? notFound() : mounted(mountPath, await handle(ours, () => peer))
    }
  } satisfies Context.Tag.Service<Http>
})

/**
 * The interface as an app of @effect/platform, to be mounted in a router: `HttpRouter.mountApp("/trading", app)` with
 * `Http.layer({ prefix: "/trading" })`, so that addresses in answers begin with the path too.
 */
export const app: HttpApp.Default<never, Http> = Effect.gen(function* () {
  const { handle, mountPath } = yield* Http
  const request = yield* HttpServerRequest.HttpServerRequest
  const web = yield* requestOf(request)
  const peer = Option.getOrUndefined(request.remoteAddress)
  // A router strips the path at which it mounts an app from `url`, and not from `originalUrl`.
  const { originalUrl, url } = request
  // A path on Node, the whole address on Bun and in a web handler.
  const original = originalUrl.replace(ORIGIN, "")
  const path = restOf(mountPath, original) === undefined ? `${mountPath}${url}` : original
  const absolute = new Request(`${originOf(web)}${mountPath === "" ? url : path}`, web)
  return HttpServerResponse.fromWeb(yield* Effect.promise(() => handle(absolute, peer)))
})

/** The services that the interface needs: `Memory.layer()` has all of them. */
export type Services = Layer.Layer.Context<ReturnType<typeof Http.layer>>

/**
 * The interface as one function from web `Request` to `Response`, for `Bun.serve`, for Deno and for any framework with
 * web requests. Its services are built with the first request; `dispose` waits for requests in flight, and ends the
 * services.
 *
 * @example
 * ```ts
 * import { Memory } from "signalbox"
 * import { toWebHandler } from "signalbox/http"
 *
 * const { dispose, handle } = toWebHandler(Memory.layer(), { prefix: "/trading" })
 * const answer = await handle(new Request("http://localhost/trading/healthz"))
 * await dispose()
 * ```
 */
export const toWebHandler = <E>(services: Layer.Layer<Services, E>, options: Options = {}) => {
  const runtime = ManagedRuntime.make(Layer.provide(Http.layer(options), services))
  const handle: Handle = async (request, peer) => (await runtime.runPromise(Http)).handle(request, peer)
  return { handle, dispose: () => runtime.dispose() }
}

/** The request without the mount path; undefined where its path is outside. */
const beneath = (mountPath: string, request: Request): Request | undefined => {
  // The edge refuses a malformed address with a problem.
  if (mountPath === "" || !URL.canParse(request.url)) return request
  const origin = originOf(request)
  const rest = restOf(mountPath, request.url.slice(origin.length))
  return rest === undefined ? undefined : new Request(`${origin}${rest}`, request)
}

/** The part of a path after the mount path, with its query; undefined where the path is outside. */
const restOf = (mountPath: string, path: string): string | undefined => {
  const rest = path.slice(mountPath.length)
  if (!path.startsWith(mountPath) || !/^(?:[/?#]|$)/.test(rest)) return undefined
  return rest.startsWith("/") ? rest : `/${rest}`
}

/** Puts the mount path before the paths in a response's headers. */
const mounted = (mountPath: string, response: Response): Response => {
  if (mountPath === "") return response
  const { headers } = response
  const location = headers.get("location")
  if (location?.startsWith("/")) headers.set("location", `${mountPath}${location}`)
  const link = headers.get("link")
  if (link?.startsWith("</")) headers.set("link", `<${mountPath}${link.slice(1)}`)
  return response
}

const ORIGIN = /^[a-z]+:\/\/[^/?#]*/i

/** The part of an address before the path. */
const originOf = ({ url }: Request): string => ORIGIN.exec(url)?.[0] ?? "http://localhost"

const notFound = (): Response =>
  Problems.respond(Problems.make(404, "not_found", "there is no such path", "none"))
