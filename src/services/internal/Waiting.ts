// Waits of loops that act on time: until a time of the clock, and never for what cannot change. An idle server has no
// timer, so a test may set its clock as far ahead as it likes.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"

/** How often a clock is read during a wait at most and at least (ms). */
const LEAST_MS = 100
const MOST_MS = 1000

const MACHINE = Clock.make().constructor

/** Marks a clock that wakes each sleeper at its time, however far it is set; Effect's `TestClock` is one without it. */
export const WAKES_ALL = Symbol.for("signalbox/services/internal/Waiting/WAKES_ALL")

/**
 * Sleeps until a time (ms since the epoch): at once on a clock of a test, which wakes each sleeper that it passes. The
 * machine's clock may be set and the machine be suspended meanwhile, and a replay's clock jumps, so these are read
 * every second.
 */
export const until = (at: number): Effect.Effect<void> => {
  if (at === Number.POSITIVE_INFINITY) return Effect.never
  const once: Effect.Effect<void> = Effect.clockWith((clock) => {
    const left = at - clock.unsafeCurrentTimeMillis()
    if (left <= 0) return Effect.void
    if (WAKES_ALL in clock || "adjust" in clock) return Effect.sleep(left)
    // A clock that stands still before the time must not be read all the time.
    const least = clock.constructor === MACHINE ? 1 : LEAST_MS
    return Effect.zipRight(Effect.sleep(Math.max(least, Math.min(left, MOST_MS))), once)
  })
  return once
}

/** The value of an effect that is one already, as `Effect.succeed` makes it: reading it again gives the same. */
export const constantOf = <A>(self: Effect.Effect<A>): Option.Option<A> =>
  isConstant(self) ? Option.some(Effect.runSync(self)) : Option.none()

const isConstant = (self: Effect.Effect<unknown>): boolean => Exit.isExit(self) && Exit.isSuccess(self)
