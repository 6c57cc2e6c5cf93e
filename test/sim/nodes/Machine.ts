// A process of a node and the machine below it. It can stand still and go on, its clock differs from that of others and
// jumps, and where the machine slept its uptime has stood still as well.
import { Life, type Loom } from "../Loom.ts"

let running: Machine | undefined
const wall = Date.now
const uptime = performance.now.bind(performance)

/** From now on a task of a machine reads that machine's clocks, whoever it asks. */
export const watchClocks = (): void => {
  Date.now = () => running?.wall ?? wall()
  performance.now = () => running?.uptime ?? uptime()
}

export class Machine extends Life {
  /** Whether it sleeps while it stands still, so that its uptime does not count the time. */
  readonly #sleeps: boolean
  readonly #held: Array<() => void> = []
  #skew: number
  #slept = 0
  #frozenAt: number | undefined

  constructor(loom: Loom, skew: number, sleeps: boolean) {
    super(loom)
    this.#skew = skew
    this.#sleeps = sleeps
  }

  /** What its clock shows (ms). The engine goes by the true time: the checks compare its times with those of others. */
  get wall(): number {
    return this.loom.now + this.#skew
  }

  get uptime(): number {
    return this.loom.now - this.#slept
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined
  }

  get sleeps(): boolean {
    return this.#sleeps
  }

  /** Sets the clock to so much (ms) before or after the true time. */
  set(skew: number): void {
    this.#skew = skew
  }

  freeze(): void {
    this.#frozenAt ??= this.loom.now
  }

  /** Goes on with what has come meanwhile, in its sequence. */
  thaw(): void {
    if (this.#frozenAt === undefined) return
    if (this.#sleeps) this.#slept += this.loom.now - this.#frozenAt
    this.#frozenAt = undefined
    this.#next()
  }

  override scheduleTask(task: () => void): void {
    this.loom.soon(() => this.#run(task))
  }

  override after(ms: number, run: () => void): void {
    this.loom.after(ms, () => this.#run(run))
  }

  #run(task: () => void): void {
    if (!this.alive) return
    if (this.isFrozen) return void this.#held.push(task)
    const before = running
    running = this
    try {
      task()
    } finally {
      running = before
    }
  }

  #next(): void {
    const task = this.isFrozen ? undefined : this.#held.shift()
    if (task === undefined) return
    this.#run(task)
    this.loom.soon(() => this.#next())
  }
}
