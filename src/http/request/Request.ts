import * as Context from "effect/Context"
import type { AccessRule } from "../../api/shared/Security.ts"

/** What the server knows of a request before its handler runs. */
export interface RequestFacts {
  /** Ours, never the caller's: the header x-request-id, and `request_id` in problems. */
  readonly id: string
  /** Path and query as they came, without scheme and host: a malformed host cannot hurt here. */
  readonly path: string
  readonly query: string
  /** The operation that the path names, for the log: `signals.create`. */
  readonly operation: string
  readonly access: AccessRule
  /** The caller's network address. Asked for only when an authentication fails. */
  readonly peer: () => string
  /** Our own origin as the caller sees it: `https://box.example`. Asked for only where a session is shown. */
  readonly origin: () => string
  /** Gives an answer that takes its time so many seconds, in which the connection may be quiet: to callers who were let in. */
  readonly linger: (seconds: number) => void
  /** Whether a session of the dashboard counts here: nowhere on the port of the alerts alone. */
  readonly takesSessions: boolean
}

/** What a page beside the contract is told of the request for it. */
export interface PageRequest extends Pick<RequestFacts, "id" | "peer"> {
  readonly request: Request
}

/** The request at hand. The edge gives it; the default, for a router without one, is the strictest there is. */
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
