// The real clock, for waits on disks, other processes and people while the rest runs on a replay's clock.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** The clock in use; a simulated world brings its own. */
export class RealTime extends Context.Reference<RealTime>()("signalbox/services/internal/RealTime", {
  defaultValue: () => Clock.make()
}) {}

/** Runs an effect on the real clock. */
export const inRealTime = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(RealTime, (clock) => Effect.withClock(self, clock))
