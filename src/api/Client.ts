// The typed client: every operation of the contract by its group and name, with the interface's own names. Parts of a
// request that are all optional may be left out, ids have the brand of their noun, and `code` tells problems apart.
import type * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import type { Brand } from "effect/Brand"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type { ParseError } from "effect/ParseResult"
import * as Redacted from "effect/Redacted"
import type { Simplify } from "effect/Types"
import { CHARTING_PATH } from "./AlertOperations.ts"
import { Api } from "./Api.ts"

export type { Code } from "./shared/Codes.ts"
export type { Problem, ProblemOf, Unrecognized } from "./shared/Problem.ts"

type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer Group, infer _E, infer _R> ? Group : never
type ApiError = typeof Api extends HttpApi.HttpApi<infer _Id, infer _Group, infer E, infer _R> ? E : never

/** A part of a request: left out where the operation takes none, optional where all of it is. */
type Part<Key extends string, Value> = [Value] extends [never]
  ? unknown
  : Record<string, never> extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value }
type Payload<P> =
  P extends Brand<HttpApiSchema.MultipartTypeId | HttpApiSchema.MultipartStreamTypeId> ? FormData : P
type Arguments<Request> = Record<string, never> extends Request ? [request?: Request] : [request: Request]

/** An operation; `withResponse` also returns the response, whose header `Link` holds the cursor of the next page. */
type Operation<Endpoint, Shared> =
  Endpoint extends HttpApiEndpoint.HttpApiEndpoint<
    infer _Name,
    infer _Method,
    infer Path,
    infer UrlParams,
    infer Body,
    infer Headers,
    infer Success,
    infer Error,
    infer _R,
    infer _RE
  >
    ? <WithResponse extends boolean = false>(
        ...request: Arguments<
          Simplify<
            Part<"path", Path> &
              Part<"urlParams", UrlParams> &
              Part<"headers", Headers> &
              Part<"payload", Payload<Body>> & { readonly withResponse?: WithResponse }
          >
        >
      ) => Effect.Effect<
        WithResponse extends true ? readonly [Success, HttpClientResponse] : Success,
        Error | Shared | HttpClientError | ParseError
      >
    : never

type Operations<Group> =
  Group extends HttpApiGroup.HttpApiGroup<infer _Name, infer Endpoints, infer Shared, infer _R>
    ? {
        readonly [E in Endpoints as HttpApiEndpoint.HttpApiEndpoint.Name<E>]: Operation<E, Shared | ApiError>
      }
    : never

/** Every operation, by group and name. */
export type Client = {
  readonly [Group in Groups as HttpApiGroup.HttpApiGroup.Name<Group>]: Operations<Group>
}

/** Where the server is, and the token that operations are called with. */
export interface Options {
  readonly baseUrl: URL | string
  readonly token?: string | Redacted.Redacted
  /** Changes the underlying client, for example to try again. */
  readonly transformClient?: (client: HttpClient.HttpClient) => HttpClient.HttpClient
}

/**
 * Makes a client of the server at `baseUrl`.
 *
 * @example
 * ```ts
 * import { FetchHttpClient } from "@effect/platform"
 * import { Effect } from "effect"
 * import * as Client from "signalbox/api/client"
 *
 * const names = Effect.gen(function* () {
 *   const client = yield* Client.make({ baseUrl: "http://127.0.0.1:8080", token: "sbx_..." })
 *   const { data } = yield* client.signals.list()
 *   return data.map(({ name }) => name)
 * })
 * const listed = Effect.catchTag(names, "Problem", (problem) => {
 *   switch (problem.code) {
 *     case "unauthorized":
 *       return Effect.succeed(["this token is not valid any more"])
 *     default:
 *       return Effect.fail(problem)
 *   }
 * })
 * Effect.runPromise(Effect.provide(listed, FetchHttpClient.layer))
 * ```
 */
export function make(options: Options): Effect.Effect<Client, never, HttpClient.HttpClient>
export function make({
  baseUrl,
  token,
  transformClient = identity
}: Options): Effect.Effect<object, never, HttpClient.HttpClient> {
  const authorized =
    token === undefined
      ? identity<HttpClient.HttpClient>
      : (client: HttpClient.HttpClient) =>
          client.pipe(
            HttpClient.mapRequest(withToken(token)),
            // A span has the whole address, and the webhook's address has the token.
            HttpClient.withTracerDisabledWhen(isCharting)
          )
  const made = HttpApiClient.make(Api, {
    baseUrl,
    transformClient: (client) => transformClient(authorized(client))
  })
  return Effect.map(made, (groups) =>
    mapValues(groups, (group) =>
      mapValues(group, (operation) =>
        typeof operation === "function"
          ? (request?: object): unknown =>
              Reflect.apply(operation, undefined, [{ urlParams: {}, headers: {}, ...request }])
          : operation
      )
    )
  )
}

const mapValues = (values: unknown, f: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(Object(values)).map(([key, value]) => [key, f(value)]))

/** The webhook takes its token in the address, everything else in a header. */
const withToken =
  (token: string | Redacted.Redacted) =>
  (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest => {
    const text = Redacted.isRedacted(token) ? Redacted.value(token) : token
    return isCharting(request)
      ? HttpClientRequest.appendUrlParam(request, "key", text)
      : HttpClientRequest.bearerToken(request, text)
  }

const isCharting = ({ url }: HttpClientRequest.HttpClientRequest): boolean => url.endsWith(CHARTING_PATH)
