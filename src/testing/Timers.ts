// Timers sorted by time, and an Effect clock over a virtual time.
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { WAKES_ALL } from "../services/internal/Waiting.ts"

/** A callback for a time (ms). At equal times the first one added runs first. */
export interface Timer {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** A binary heap of timers. */
export class Timers {
  readonly #timers: Array<Timer> = []
  #order = 0

  /** The next timer, without removing it. */
  get next(): Timer | undefined {
    return this.#timers[0]
  }

  add(at: number, run: () => void): void {
    const timer = { at, order: this.#order++, run }
    const timers = this.#timers
    let place = timers.length
    timers.push(timer)
    while (place > 0) {
      const parent = (place - 1) >> 1
      const above = timers[parent]
      if (above === undefined || !isBefore(timer, above)) break
      timers[place] = above
      place = parent
    }
    timers[place] = timer
  }

  dropNext(): void {
    const timers = this.#timers
    const moved = timers.pop()
    if (moved === undefined || timers.length === 0) return
    let place = 0
    for (;;) {
      const left = 2 * place + 1
      let child = left
      const [one, other] = [timers[left], timers[left + 1]]
      if (one === undefined) break
      let least = one
      if (other !== undefined && isBefore(other, one)) {
        least = other
        child = left + 1
      }
      if (!isBefore(least, moved)) break
      timers[place] = least
      place = child
    }
    timers[place] = moved
  }
}

const isBefore = (one: Timer, other: Timer): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

/** A virtual time (ms) with timers. */
export interface Time {
  readonly now: number
  readonly after: (ms: number, run: () => void) => void
}

/** An Effect clock over a virtual time. */
export const clockOf = (time: Time): Clock.Clock & { readonly [WAKES_ALL]: true } => {
  const now = () => time.now
  const nanos = () => BigInt(Math.floor(now())) * 1_000_000n
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    [WAKES_ALL]: true,
    unsafeCurrentTimeMillis: now,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.async<void>((resume) => {
        let over = false
        time.after(Duration.toMillis(duration), () => {
          if (!over) resume(Effect.void)
        })
        return Effect.sync(() => {
          over = true
        })
      })
  }
}
