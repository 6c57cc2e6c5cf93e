// What a server hands over when it is told to stop, while it still answers: a node of a cluster gives its bots to others.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Ends when everything is handed over. A server that is alone has nobody to give anything to. */
export class Departure extends Context.Reference<Departure>()("signalbox/http/edge/Departure", {
  defaultValue: () => ({ leave: Effect.void })
}) {}
