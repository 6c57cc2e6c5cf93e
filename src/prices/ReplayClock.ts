// The clock of a replay: it stands just after the last published candle and runs towards the next at `speed` times real
// time. An alert that came too late for a candle therefore bears a later time, as in a back-test.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** The time of a replay. Sleeping takes real time, so that watchers of files and sockets run as usual. */
export interface ReplayClock extends Clock.Clock {
  /** Sets the time to `at` (ms since the epoch); it then runs up to just before `until`. */
  readonly moveTo: (at: number, until: number) => void
  /**
   * Marks the candle of this time as published. The time moves past it, so that an alert from now on falls due at the
   * next candle, in a back-test too.
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
