// Tells a listener how far long work on a database is: verifying it, copying it, bringing it up to date. Without a
// listener, as in a server, nothing is measured.
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"
import * as Schedule from "effect/Schedule"

/** A step of the work: `done` of `total` in whatever unit. The work has ended where they are equal. */
export interface Step {
  readonly words: string
  readonly done: number
  readonly total: number
}

export type Listener = (step: Step) => void

/** Who listens to the work of this fiber and of those that it starts. */
export const listener: FiberRef.FiberRef<Listener | undefined> = globalValue(
  Symbol.for("signalbox/sqlite/LongWork"),
  () => FiberRef.unsafeMake<Listener | undefined>(undefined)
)

/** Tells of a step. */
export const tell = (step: Step): Effect.Effect<void> =>
  Effect.map(FiberRef.get(listener), (listen) => listen?.(step))

const LOOK_EVERY = "200 millis"

/** Tells how far an effect is, by looking from time to time. It has ended when it succeeds or fails. */
export const watched =
  (words: string, total: number, done: () => number) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(FiberRef.get(listener), (listen) => {
      if (listen === undefined) return self
      const look = Effect.sync(() => listen({ words, done: Math.min(done(), total * 0.99), total }))
      const looking = Effect.zipRight(Effect.repeat(look, Schedule.spaced(LOOK_EVERY)), Effect.never)
      return Effect.ensuring(
        // The first look is before the work, which may keep this thread busy until it ends.
        Effect.zipRight(look, Effect.raceFirst(self, looking)),
        Effect.sync(() => listen({ words, done: total, total }))
      )
    })
