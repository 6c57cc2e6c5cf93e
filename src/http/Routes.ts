import * as HttpApi from "@effect/platform/HttpApi"
import * as Context from "effect/Context"
import { ALERT_PATH, CHARTING_PATH } from "../api/Alerts.ts"
import { Api } from "../api/Api.ts"
import { Access, type AccessRule } from "../api/Security.ts"

/** One operation of the contract: its name for the log, and what it asks of its caller. */
export interface Operation {
  readonly operation: string
  readonly access: AccessRule
}

/** What one path can do, by method. */
interface Route {
  readonly segments: ReadonlyArray<string>
  readonly operations: Map<string, Operation>
}

/** The paths of the contract, the ones without a parameter first: `/v1/signals/alert` is no signal's id. */
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

/** What the contract knows of a path. */
export interface Match {
  /** As it stands in the contract: `/v1/signals/:id`. */
  readonly route: string
  readonly operations: ReadonlyMap<string, Operation>
  /** The path with 0 for an id that is none: it is answered as a record that is not there, whatever it was. */
  readonly path: string
}

/** What the contract knows of a path; nothing where it does not know it. */
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

const idOf = (segment = ""): string => (/^[1-9][0-9]{0,15}$/.test(segment) ? segment : "0")

/** The methods of a path, as `Allow` lists them. */
export const allow = (operations: ReadonlyMap<string, unknown>): string => {
  const methods = [...operations.keys()]
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")
}

const NOBODY: AccessRule = { scope: "full", bucket: "reads" }

const post = (path: string): Operation =>
  find(path)?.operations.get("POST") ?? { operation: path, access: NOBODY }

/** The two operations that the edge answers without the router. */
export const charting = post(CHARTING_PATH)
export const alert = post(ALERT_PATH)

/** What a page beside the contract can do. */
export const PAGE: ReadonlyMap<string, Operation> = new Map([["GET", { operation: "page", access: NOBODY }]])
