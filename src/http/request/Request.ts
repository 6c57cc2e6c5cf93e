// The facts of a request that the edge has collected before its handler runs.
import * as Context from "effect/Context"
import type { AccessRule } from "../../api/shared/Security.ts"

/** The facts of a request. */
export interface RequestFacts {
  /** Our own id, never the caller's: the header x-request-id, and `request_id` in problems. */
  readonly id: string
  /** Path and query of the raw address, without scheme and host: a malformed host does no harm here. */
  readonly path: string
  readonly query: string
  /** The operation's name, for the log: `signals.create`. */
  readonly operation: string
  readonly access: AccessRule
  /** The caller's network address: computed only when an authentication fails. */
  readonly peer: () => string
  /** The server's origin as the caller sees it, like `https://box.example`: computed only for a session. */
  readonly origin: () => string
  /** Lets the connection be quiet for so many seconds, for slow responses to admitted callers. */
  readonly linger: (seconds: number) => void
  /** Whether a dashboard session counts here: not on the port of alerts alone. */
  readonly takesSessions: boolean
}

/** A request as a page outside of the contract gets it. */
export interface PageRequest extends Pick<RequestFacts, "id" | "peer"> {
  readonly request: Request
}

/** The current request. The edge provides it; the default, for a router without an edge, is the strictest. */
export class CurrentRequest extends Context.Reference<CurrentRequest>()("signalbox/http/CurrentRequest", {
  defaultValue: (): RequestFacts => ({
    id: "none",
    path: "/",
    query: "",
    operation: "unknown",
    access: { scope: "full", bucket: "reads" },
    peer: () => "unknown",
    origin: () => "",
    linger: () => {},
    takesSessions: false
  })
}) {}
