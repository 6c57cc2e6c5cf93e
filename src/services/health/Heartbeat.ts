// When the server last ran, as a reference: without a layer nobody keeps it.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Keeps the time at which a server of the database last ran. */
export class Heartbeat extends Context.Reference<Heartbeat>()("signalbox/services/health/Heartbeat", {
  defaultValue: (): {
    /** Stores the present time, and returns the one stored before (ms since the epoch); undefined if there was none. */
    readonly beat: Effect.Effect<number | undefined>
  } => ({ beat: Effect.succeed(undefined) })
}) {}
