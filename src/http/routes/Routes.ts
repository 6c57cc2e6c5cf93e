// The paths of the contract, matched before the router: 404 and 405 are decided here, and an invalid id becomes 0,
// which no record has.
import * as HttpApi from "@effect/platform/HttpApi"
import * as Context from "effect/Context"
import { Api } from "../../api/Api.ts"
import { Access } from "../../api/shared/Security.ts"
import * as Percent from "../request/Percent.ts"
import type { Operation, Operations } from "./Operation.ts"

/** A path with its operations. */
interface Route {
  readonly segments: ReadonlyArray<string>
  readonly operations: Map<string, Operation>
}

/** All paths, those without a parameter first: `/v1/signals/alert` is not a signal's id. */
const routes: ReadonlyArray<Route> = (() => {
  const found = new Map<string, Route>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
      const route = found.get(endpoint.path) ?? { segments: endpoint.path.split("/"), operations: new Map() }
      const access = Context.unsafeGet(mergedAnnotations, Access)
      route.operations.set(endpoint.method, { operation: `${group.identifier}.${endpoint.name}`, access })
      found.set(endpoint.path, route)
    }
  })
  return [...found]
    .sort(([a], [b]) => Number(a.includes(":")) - Number(b.includes(":")))
    .map(([, route]) => route)
})()

/** A matched path. */
export interface Match {
  /** As in the contract: `/v1/signals/:id`. */
  readonly route: string
  readonly operations: Operations
  /** The path with 0 for an invalid id, so that it is answered like a missing record. */
  readonly path: string
}

/** Matches a path; undefined where the contract does not have it. */
export const find = (path: string): Match | undefined => {
  const segments = path.split("/", 8)
  const route = routes.find((it) => matches(it.segments, segments))
  if (route === undefined) return undefined
  const ids = route.segments.map((part, index) => (part.startsWith(":") ? idOf(segments[index]) : part))
  return { route: route.segments.join("/"), operations: route.operations, path: ids.join("/") }
}

const matches = (pattern: ReadonlyArray<string>, segments: ReadonlyArray<string>): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]))

/**
 * An id may be percent-encoded; the names of a path may not, since a proxy that protects some paths may not decode
 * them.
 */
const idOf = (segment = ""): string => {
  const id = Percent.decode(segment)
  return id !== undefined && /^[1-9][0-9]{0,15}$/.test(id) ? id : "0"
}
