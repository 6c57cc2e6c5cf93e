import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { RuntimeFiber } from "effect/Fiber"
import type { Scheduler } from "effect/Scheduler"
import type { Dice } from "../../src/testing/Dice.ts"

interface Timer {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** A fiber is made to wait after so many operations at the least: with fewer, two that wait for each other never end. */
const LEAST_OPERATIONS = 14
const MOST_OPERATIONS = 400

/**
 * Time and turns of a simulated world. Tasks that are ready are drawn by lot; only when none is left does the clock
 * move, to the next timer. Nothing here waits for anything real.
 */
export class Loom {
  readonly dice: Dice
  now: number
  #ready: Array<() => void> = []
  #timers: Array<Timer> = []
  #order = 0

  constructor(dice: Dice, now: number) {
    this.dice = dice
    this.now = now
  }

  soon(run: () => void): void {
    this.#ready.push(run)
  }

  /** Runs it after so many ms. */
  after(ms: number, run: () => void): void {
    const timer = { at: this.now + Math.max(0, Math.ceil(ms)), order: this.#order++, run }
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

  /** One task, or else the next timer; false when `until` (ms) is reached and nothing is ready. */
  step(until: number): boolean {
    const ready = this.#ready
    if (ready.length > 0) {
      const place = ready.length === 1 ? 0 : this.dice.whole(0, ready.length - 1)
      const task = ready[place]
      const last = ready.pop()
      if (last !== undefined && place < ready.length) ready[place] = last
      task?.()
      return true
    }
    const [next] = this.#timers
    if (next === undefined || next.at > until) {
      this.now = until
      return false
    }
    this.now = next.at
    this.#dropFirst()
    next.run()
    return true
  }

  #dropFirst(): void {
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

/** One life of the program: when it ends by a crash, whatever it still had to do is never done. */
export class Life implements Scheduler {
  alive = true
  readonly loom: Loom
  readonly clock: Clock.Clock
  #patience = MOST_OPERATIONS

  constructor(loom: Loom) {
    this.loom = loom
    this.clock = clockOf(this)
  }

  /** How far a fiber gets before another has its turn is drawn anew each time. */
  shouldYield(fiber: RuntimeFiber<unknown, unknown>): number | false {
    if (fiber.currentOpCount < this.#patience) return false
    this.#patience = this.loom.dice.whole(LEAST_OPERATIONS, MOST_OPERATIONS)
    return 0
  }

  scheduleTask(task: () => void): void {
    this.loom.soon(() => {
      if (this.alive) task()
    })
  }

  after(ms: number, run: () => void): void {
    this.loom.after(ms, () => {
      if (this.alive) run()
    })
  }
}

const clockOf = (life: Life): Clock.Clock => {
  const now = () => life.loom.now
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: now,
    unsafeCurrentTimeNanos: () => BigInt(now()) * 1_000_000n,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
    sleep: (duration) =>
      Effect.async<void>((resume) => {
        let over = false
        life.after(Duration.toMillis(duration), () => {
          if (!over) resume(Effect.void)
        })
        return Effect.sync(() => {
          over = true
        })
      })
  }
}
