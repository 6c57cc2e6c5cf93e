// The scheduler of a virtual world: tasks run in order, and time moves only while a test lets it pass.
import type * as Clock from "effect/Clock"
import type { RuntimeFiber } from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import { defaultScheduler, type Scheduler } from "effect/Scheduler"
import { clockOf, Timers } from "./Timers.ts"

/** A request to let time pass: until when (ms), and the least jump. */
interface Passing {
  readonly until: number
  readonly leapMs: number
  readonly done: () => void
}

/** Tasks to run in a row before promises and sockets get a turn. */
const MOST_IN_A_ROW = 1000

/**
 * A scheduler with its own time. Fibers run in the sequence of their requests. When all wait and a test lets time
 * pass, the clock jumps to the next timer.
 */
export class VirtualScheduler implements Scheduler {
  readonly clock: Clock.Clock
  #now: number
  #ready: Array<() => void> = []
  #place = 0
  #isRunning = false
  #passings: ReadonlyArray<Passing> = []
  readonly #timers = new Timers()

  readonly #outside: () => Promise<void> | undefined

  constructor(startsAt: number, outside: () => Promise<void> | undefined = () => undefined) {
    this.#now = startsAt
    this.#outside = outside
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

  /** Runs a callback after a delay (ms). A delay of 0 comes after all waiting tasks. */
  after(ms: number, run: () => void): void {
    if (ms > 0) this.#timers.add(this.#now + Math.ceil(ms), run)
    else this.scheduleTask(run)
  }

  /** Lets time pass. Timers less than `leapMs` apart run together, at the last one's time. */
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

  /** Jumps to the next timer when nothing is ready. False if no test lets time pass, or work goes on outside. */
  #leap(): boolean {
    if (this.#passings.length === 0) return false
    const outside = this.#outside()
    if (outside !== undefined) {
      const wake = () => this.#wake()
      outside.then(wake, wake)
      return false
    }
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
