// A priority queue of waiting requests: the most urgent priority first, first come first served within one.
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import { PRIORITIES, type Priority } from "./Priority.ts"

/** One waiting line per priority. */
export class PriorityQueue {
  readonly #lines = new Map(PRIORITIES.map((priority) => [priority, [] as Deferred.Deferred<void>[]]))

  /**
   * Joins a line at once and returns the effect that waits there. An interrupted waiter leaves the line; `missed` is
   * called if its turn had just come.
   */
  join(priority: Priority, missed: () => void = () => {}): Effect.Effect<void> {
    const line = this.#lines.get(priority) ?? []
    const turn = Deferred.unsafeMake<void>(FiberId.none)
    line.push(turn)
    return Effect.onInterrupt(Deferred.await(turn), () =>
      Effect.sync(() => {
        const at = line.indexOf(turn)
        if (at < 0) missed()
        else line.splice(at, 1)
      })
    )
  }

  /** The first of these priorities with a waiter. */
  first(order: ReadonlyArray<Priority> = PRIORITIES): Priority | undefined {
    return order.find((priority) => (this.#lines.get(priority)?.length ?? 0) > 0)
  }

  /** Gives the turn to the longest waiter of a priority. */
  call(priority: Priority): void {
    const turn = this.#lines.get(priority)?.shift()
    if (turn !== undefined) Deferred.unsafeDone(turn, Effect.void)
  }
}
