// The request budget of an exchange, shared by all its accounts: a token bucket whose turns go to the most urgent
// request first. A request that waits too long fails unsent. The numbers: `rate` in `ccxt/descriptors`.
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { Rate } from "../../ccxt/Descriptor.ts"
import { isOrder, isUrgent, PRIORITIES, type Priority } from "./Priority.ts"
import { PriorityQueue } from "./PriorityQueue.ts"

/** The request waited too long for its turn and was never sent. */
export class OverBudget extends Data.TaggedError("OverBudget")<{ readonly priority: Priority }> {}

/** How long a request waits for its turn (ms); after that the caller must try again. */
const PATIENCE_MS = 8000
/** A later entry would no longer be what was decided. */
const ENTRY_PATIENCE_MS = 5000

const patienceMs = (priority: Priority): number => (priority === "entry" ? ENTRY_PATIENCE_MS : PATIENCE_MS)

/**
 * Whether an order has waited so long in all (ms) that it must not be sent. Checked before the caller times out, since
 * a timed-out order is in doubt for a minute.
 */
export const isTooLate = (priority: Priority, waitedMs: number): boolean =>
  isOrder(priority) && waitedMs > PATIENCE_MS

/** The budget of all accounts at one exchange. */
export interface Budget {
  /** Waits for the turn of one request. If it fails, the request must not be sent. */
  readonly take: (priority: Priority) => Effect.Effect<void, OverBudget>
}

/** `pausedUntil` returns when the exchange's pause ends (ms); no request has its turn before. */
export const make = Effect.fnUntraced(function* (rate: Rate, pausedUntil: () => number) {
  const all = yield* one(rate, pausedUntil)
  if (rate.orders === undefined) return all
  const orders = yield* one(rate.orders, pausedUntil)
  return {
    take: (priority) => (isOrder(priority) ? orders : all).take(priority)
  } satisfies Budget
})

const one = Effect.fnUntraced(function* ({ burst, perSecond }: Rate, pausedUntil: () => number) {
  const lines = new PriorityQueue()
  const bell = yield* Queue.dropping<void>(1)
  /** Urgent requests go first; the others take turns, because orders in flight are looked up again and again. */
  let order: ReadonlyArray<Priority> = PRIORITIES
  let tokens = burst
  let filled = yield* Clock.currentTimeMillis

  /** Gives the next request its turn; returns how long (ms) to wait if none has it. */
  const refresh = (now: number): number => {
    tokens = Math.min(burst, tokens + (Math.max(0, now - filled) / 1000) * perSecond)
    filled = now
    const next = lines.first(order)
    if (next === undefined) return Number.POSITIVE_INFINITY
    const pause = pausedUntil() - now
    if (pause > 0) return Math.min(pause, PATIENCE_MS)
    if (tokens < 1) return Math.ceil(((1 - tokens) / perSecond) * 1000)
    tokens -= 1
    if (!isUrgent(next)) order = [...order.filter((other) => other !== next), next]
    lines.call(next)
    return 0
  }

  yield* Effect.forkScoped(
    Effect.forever(
      Effect.gen(function* () {
        const wait = refresh(yield* Clock.currentTimeMillis)
        if (wait === 0) return
        const rings = Queue.take(bell)
        yield* wait === Number.POSITIVE_INFINITY ? rings : Effect.race(rings, Effect.sleep(wait))
      })
    )
  )

  return {
    take: Effect.fn("Budget.take")(function* (priority: Priority) {
      const turn = lines.join(priority)
      yield* Queue.offer(bell, undefined)
      yield* Effect.timeoutFail(turn, {
        duration: patienceMs(priority),
        onTimeout: () => new OverBudget({ priority })
      })
    })
  } satisfies Budget
})
