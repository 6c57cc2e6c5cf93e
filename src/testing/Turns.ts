import type * as Clock from "effect/Clock"
import type { RuntimeFiber } from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import { defaultScheduler, type Scheduler } from "effect/Scheduler"
import { clockOf, Timers } from "./Timers.ts"

/** A stretch of time that somebody lets go by: until when (ms), in leaps of how much at the least. */
interface Passing {
  readonly until: number
  readonly leapMs: number
  readonly done: () => void
}

/** Tasks that are run before the rest of the program, with its promises and sockets, has its turn. */
const MOST_IN_A_ROW = 1000

/**
 * Turns and time of a world whose clock moves only when it is told to. Fibers have their turns in the order in which
 * they asked for them; when all of them wait, and somebody lets time pass, the clock leaps to the next timer.
 */
export class Turns implements Scheduler {
  readonly clock: Clock.Clock
  #now: number
  #ready: Array<() => void> = []
  #place = 0
  #isRunning = false
  #passings: ReadonlyArray<Passing> = []
  readonly #timers = new Timers()

  constructor(startsAt: number) {
    this.#now = startsAt
    this.clock = clockOf(this)
  }

  get now(): number {
    return this.#now
  }

  shouldYield(fiber: RuntimeFiber<unknown, unknown>): number | false {
    return fiber.currentOpCount > fiber.getFiberRef(FiberRef.currentMaxOpsBeforeYield) ? 0 : false
  }

  scheduleTask(task: () => void): void {
    this.#ready.push(task)
    this.#wake()
  }

  /** Runs it after so many ms. No time at all is as soon as everybody else had a turn. */
  after(ms: number, run: () => void): void {
    if (ms > 0) this.#timers.add(this.#now + Math.ceil(ms), run)
    else this.scheduleTask(run)
  }

  /** Lets time go by. Timers less than `leapMs` apart are run together, at the time of the last of them. */
  pass(ms: number, leapMs: number, done: () => void): void {
    this.#passings = [...this.#passings, { until: this.#now + ms, leapMs, done }]
    this.#wake()
  }

  #wake(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    defaultScheduler.scheduleTask(() => this.#run(), 0)
  }

  #run(): void {
    for (let count = 0; count < MOST_IN_A_ROW; count++) {
      if (!this.#runNext() && !this.#leap()) {
        this.#isRunning = false
        return
      }
    }
    defaultScheduler.scheduleTask(() => this.#run(), 0)
  }

  #runNext(): boolean {
    const task = this.#ready[this.#place++]
    if (task === undefined) {
      this.#ready = []
      this.#place = 0
      return false
    }
    task()
    return true
  }

  /** Nobody has anything to do now: on to when somebody has. False if nobody lets time go by. */
  #leap(): boolean {
    if (this.#passings.length === 0) return false
    const until = Math.min(...this.#passings.map((passing) => passing.until))
    const leapMs = Math.min(...this.#passings.map((passing) => passing.leapMs))
    const next = this.#timers.next
    if (next === undefined || next.at > until) {
      this.#now = until
      const over = this.#passings.filter((passing) => passing.until <= until)
      this.#passings = this.#passings.filter((passing) => passing.until > until)
      for (const { done } of over) done()
      return true
    }
    this.#now = Math.max(this.#now, Math.min(until, Math.max(next.at, this.#now + leapMs)))
    for (let due = this.#timers.next; due !== undefined && due.at <= this.#now; due = this.#timers.next) {
      this.#timers.dropNext()
      due.run()
    }
    return true
  }
}
