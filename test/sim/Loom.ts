import type * as Clock from "effect/Clock"
import type { RuntimeFiber } from "effect/Fiber"
import type { Scheduler } from "effect/Scheduler"
import type { Dice } from "../../src/testing/Dice.ts"
import { clockOf, Timers } from "../../src/testing/Timers.ts"

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
  readonly #timers = new Timers()

  constructor(dice: Dice, now: number) {
    this.dice = dice
    this.now = now
  }

  soon(run: () => void): void {
    this.#ready.push(run)
  }

  /** Runs it after so many ms. */
  after(ms: number, run: () => void): void {
    this.#timers.add(this.now + Math.max(0, Math.ceil(ms)), run)
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

  get now(): number {
    return this.loom.now
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
