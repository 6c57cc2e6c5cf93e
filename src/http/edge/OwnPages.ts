// The server's own pages besides the contract: /healthz, /readyz, /metrics, /openapi.json and /docs.
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { Venues } from "../../services/feeds/Venues.ts"
import { Meters } from "../../services/health/Meters.ts"
import { Journal } from "../../services/Journal.ts"
import * as Fault from "../Fault.ts"
import * as MetricsPage from "../metrics/MetricsPage.ts"
import { Program } from "../Program.ts"
import type { PageRequest } from "../request/Request.ts"
import * as Docs from "../views/Docs.ts"
import * as Health from "./Health.ts"

/** A page for GET and HEAD; undefined where it does not exist. */
export type Page = (pageRequest: PageRequest) => Promise<Response | undefined>

export interface Options extends MetricsPage.Options {
  /** The reference page at `/docs`; without it that path is 404. */
  readonly docs?: Docs.ReferencePage
}

export interface OwnPages {
  /** The page of a path; `stopping` says whether a shutdown has begun. */
  readonly page: (path: string, stopping: () => boolean) => Page | undefined
  /** The path under which a request is measured: the files of the reference count as one. */
  readonly routeOf: (path: string) => string
  /** The metrics on their own port. */
  readonly metrics: Page
}

/** Makes the pages. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { writable } = yield* Journal
  const { cluster } = yield* Meters
  const health = yield* Health.make
  const metrics = yield* MetricsPage.make(options)
  const run = Runtime.runPromise(yield* Effect.runtime<never>())
  const docs = Docs.make({ ...(yield* Program), page: options.docs, venues: yield* Venues })
  const ready =
    (stopping: () => boolean): Page =>
    () =>
      run(
        Effect.map(writable, (stored) => {
          // A load balancer sends nothing more to a node that is to be stopped.
          const isReady = stored && !stopping() && cluster.reading()?.isDraining !== true
          return Response.json({ status: isReady ? "ready" : "not_ready" }, { status: isReady ? 200 : 503 })
        })
      )
  const pageOf = (path: string, stopping: () => boolean): Page | undefined => {
    switch (path) {
      case "/healthz":
        return () => run(health)
      case "/metrics":
        return (pageRequest) => run(Fault.caught(metrics.guarded(pageRequest), pageRequest.id, "metrics"))
      case "/readyz":
        return ready(stopping)
      default:
        return docs.isOurs(path) ? ({ request }) => docs.answer(path, request) : undefined
    }
  }
  return {
    page: pageOf,
    routeOf: Docs.routeOf,
    metrics: (pageRequest) => run(metrics.local(pageRequest))
  } satisfies OwnPages
})
