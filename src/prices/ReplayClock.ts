import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * The time of a replay: it stands at the candle that was last handed out, and runs on towards the next at `speed`
 * times life's pace. Sleeping takes real time, so that whatever watches files and sockets goes on as ever.
 */
export interface ReplayClock extends Clock.Clock {
  /** Sets the time to `at` (ms since the epoch) and lets it run no further than just before `until`. */
  readonly moveTo: (at: number, until: number) => void
}

export const make = (start: number, speed: number): ReplayClock => {
  const real = Clock.make()
  let at = start
  let until = start
  let since = real.unsafeCurrentTimeMillis()
  const now = () =>
    Math.max(at, Math.min(until - 1, Math.floor(at + (real.unsafeCurrentTimeMillis() - since) * speed)))
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    sleep: (duration) => real.sleep(duration),
    unsafeCurrentTimeMillis: now,
    unsafeCurrentTimeNanos: () => BigInt(now()) * 1_000_000n,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
    moveTo: (next, limit) => {
      at = next
      until = limit
      since = real.unsafeCurrentTimeMillis()
    }
  }
}
