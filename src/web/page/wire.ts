// The contract's operations as types: what each takes and returns on the wire. This file is erased at run time.
import type * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type * as Brand from "effect/Brand"
import type { Api } from "../../api/Api.ts"

type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer Group, infer _E, infer _R> ? Group : never

export type GroupName = HttpApiGroup.HttpApiGroup.Name<Groups>
type EndpointOf<Group extends GroupName> = HttpApiGroup.HttpApiGroup.EndpointsWithName<Groups, Group>
export type EndpointName<Group extends GroupName> = HttpApiEndpoint.HttpApiEndpoint.Name<EndpointOf<Group>>
type Endpoint<Group extends GroupName, Name extends string> = HttpApiEndpoint.HttpApiEndpoint.WithName<
  EndpointOf<Group>,
  Name
>

/** A type as JSON has it: without brands. */
export type Wire<T> =
  T extends Brand.Brand<string | symbol>
    ? Brand.Brand.Unbranded<T>
    : T extends object
      ? { readonly [Key in keyof T]: Wire<T[Key]> }
      : T

/** The response of an operation. */
export type Answer<Group extends GroupName, Name extends EndpointName<Group>> = Wire<
  HttpApiEndpoint.HttpApiEndpoint.Success<Endpoint<Group, Name>>
>

type Part<Key extends string, Value> = [Value] extends [never]
  ? unknown
  : Record<string, never> extends Wire<Value>
    ? { readonly [K in Key]?: Wire<Value> }
    : { readonly [K in Key]: Wire<Value> }

/** The request of an operation. */
export type Request<Group extends GroupName, Name extends EndpointName<Group>> = Part<
  "path",
  HttpApiEndpoint.HttpApiEndpoint.PathParsed<Endpoint<Group, Name>>
> &
  Part<"urlParams", HttpApiEndpoint.HttpApiEndpoint.UrlParams<Endpoint<Group, Name>>> &
  Part<"payload", HttpApiEndpoint.HttpApiEndpoint.Payload<Endpoint<Group, Name>>> &
  Part<"headers", HttpApiEndpoint.HttpApiEndpoint.Headers<Endpoint<Group, Name>>> & {
    readonly signal?: AbortSignal
  }
