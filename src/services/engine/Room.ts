// The most tasks that a lane may keep in memory: the lane's own bound, or its share once all lanes hold too many.
import { type Bounds, DEFAULTS } from "./EngineLimits.ts"

export class Room {
  /** The tasks in memory, and the lanes that hold them. */
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
