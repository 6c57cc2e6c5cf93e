import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * The time of a replay. It stands just after the candle that was handed out last, and runs on towards the next one at
 * `speed` times the pace of life. Sleeping takes real time, so that whatever watches files and sockets goes on as ever.
 */
export interface ReplayClock extends Clock.Clock {
  /** Sets the time to `at` (ms since the epoch) and lets it run no further than just before `until`. */
  readonly moveTo: (at: number, until: number) => void
  /**
   * Says that the candle of this time is handed out from now on. The time stands after it, so that an alert that comes
   * too late for this candle bears a later time, and falls due at the next one in a back-test too.
   */
  readonly begin: (candleAt: number) => void
}

export const make = (start: number, speed: number): ReplayClock => {
  const real = Clock.make()
  let at = start
  let until = start
  let since = real.unsafeCurrentTimeMillis()
  const now = () =>
    Math.max(at, Math.min(until - 1, Math.floor(at + (real.unsafeCurrentTimeMillis() - since) * speed)))
  const moveTo = (next: number, limit: number): void => {
    at = next
    until = limit
    since = real.unsafeCurrentTimeMillis()
  }
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    sleep: (duration) => real.sleep(duration),
    unsafeCurrentTimeMillis: now,
    unsafeCurrentTimeNanos: () => BigInt(now()) * 1_000_000n,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
    moveTo,
    begin: (candleAt) => moveTo(candleAt + 1, candleAt + 1)
  }
}
