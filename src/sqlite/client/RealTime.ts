import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Other processes and disks live in it, whatever time it is for us. A simulated world brings its own. */
export class RealTime extends Context.Reference<RealTime>()("signalbox/sqlite/client/RealTime", {
  defaultValue: () => Clock.make()
}) {}

/** Waits in real time. */
export const inRealTime = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(RealTime, (clock) => Effect.withClock(self, clock))
