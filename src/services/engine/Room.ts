// How many tasks a lane may have in memory: a bound of its own, and its share where all together have too many.
import { type Bounds, DEFAULTS } from "./EngineLimits.ts"

export class Room {
  /** Tasks in memory, and the lanes that have them. */
  used = 0
  lanes = 0
  readonly #bounds: Pick<Bounds, "tasks" | "tasksPerAccount">

  constructor(bounds: Pick<Bounds, "tasks" | "tasksPerAccount"> = DEFAULTS) {
    this.#bounds = bounds
  }

  /** The most tasks of one lane at present. */
  get most(): number {
    const { tasks, tasksPerAccount } = this.#bounds
    return this.used < tasks ? tasksPerAccount : Math.min(tasksPerAccount, tasks / this.lanes)
  }
}
