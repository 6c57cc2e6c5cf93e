import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import { PRIORITIES, type Priority } from "./Priority.ts"

/** Who waits for a turn: a line for each priority, in the order of coming. */
export class PriorityQueue {
  readonly #lines = new Map(PRIORITIES.map((priority) => [priority, [] as Deferred.Deferred<void>[]]))

  /**
   * Joins a line at once; what to run to wait there. Who gives up leaves it; `missed` is called where the turn had come
   * just then.
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

  /** The first of these priorities for which somebody waits. */
  first(order: ReadonlyArray<Priority> = PRIORITIES): Priority | undefined {
    return order.find((priority) => (this.#lines.get(priority)?.length ?? 0) > 0)
  }

  /** It is the turn of whoever has waited longest there. */
  call(priority: Priority): void {
    const turn = this.#lines.get(priority)?.shift()
    if (turn !== undefined) Deferred.unsafeDone(turn, Effect.void)
  }
}
