// The scheduler of a simulated world: ready tasks run in random order, and only when none is left does the clock move
// to the next timer.
import type * as Clock from "effect/Clock"
import type { RuntimeFiber } from "effect/Fiber"
import type { Scheduler } from "effect/Scheduler"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { clockOf, Timers } from "../../src/testing/Timers.ts"

/** The fewest operations before a fiber yields; with fewer, two fibers that wait for each other never end. */
const LEAST_OPERATIONS = 14
const MOST_OPERATIONS = 400

/** Virtual time and tasks; nothing waits in real time. */
export class Loom {
  readonly dice: SeededRandom
  now: number
  #ready: Array<() => void> = []
  readonly #timers = new Timers()

  constructor(dice: SeededRandom, now: number) {
    this.dice = dice
    this.now = now
  }

  /** Whether no task is ready. */
  get isIdle(): boolean {
    return this.#ready.length === 0
  }

  soon(run: () => void): void {
    this.#ready.push(run)
  }

  /** Runs a callback after a delay (ms). */
  after(ms: number, run: () => void): void {
    this.#timers.add(this.now + Math.max(0, Math.ceil(ms)), run)
  }

  /** Runs one task, else the next timer; false when `until` (ms) is reached and nothing is ready. */
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
    const { next } = this.#timers
    if (next === undefined || next.at > until) {
      this.now = until
      return false
    }
    this.now = next.at
    this.#timers.dropNext()
    next.run()
    return true
  }
}

/** One life of the program: a crash drops all of its remaining tasks. */
export class Life implements Scheduler {
  alive = true
  readonly loom: Loom
  readonly clock: Clock.Clock
  #patience = MOST_OPERATIONS

  constructor(loom: Loom) {
    this.loom = loom
    this.clock = clockOf(this)
  }

  get now(): number {
    return this.loom.now
  }

  /** How many operations a fiber runs before it yields, drawn each time. */
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
