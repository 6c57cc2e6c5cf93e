import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { ExchangeName } from "../../domain/Market.ts"
import { isOrder, isUrgent, PRIORITIES, type Priority } from "./Priority.ts"
import { PriorityQueue } from "./PriorityQueue.ts"

/** It was not the request's turn for so long that it was never sent. */
export class OverBudget extends Data.TaggedError("OverBudget")<{ readonly priority: Priority }> {}

/** How many requests a second an exchange bears for ever, and how many at once after a rest. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
  /** What places and cancels orders, where an exchange counts that apart. */
  readonly orders?: Rate
}

/**
 * Well below what each exchange documents for one account: prices are asked for besides, and the user may have other
 * programs. Kraken counts calls against a level that falls by a third a second at the lowest tier, from 15; and orders
 * not among them, but for each pair against one that falls by one a second, from 60.
 */
export const RATES: Readonly<Record<ExchangeName, Rate>> = {
  binance: { perSecond: 10, burst: 20 },
  bybit: { perSecond: 8, burst: 16 },
  okx: { perSecond: 8, burst: 16 },
  kraken: { perSecond: 1, burst: 12, orders: { perSecond: 2, burst: 20 } },
  coinbase: { perSecond: 8, burst: 16 },
  kucoin: { perSecond: 8, burst: 16 },
  bitget: { perSecond: 6, burst: 12 }
}

/** For how long requests wait for their turn (ms); what waits longer is asked for anew. */
const PATIENCE_MS = 8000
/** An entry that comes later is not what was decided any more. */
const ENTRY_PATIENCE_MS = 5000

const patienceMs = (priority: Priority): number => (priority === "entry" ? ENTRY_PATIENCE_MS : PATIENCE_MS)

/**
 * Whether an order has waited for so long (ms) in all that it is not to be sent any more: said before whoever asked
 * gives it up, since an order of which that is not sure is in doubt for a minute.
 */
export const isTooLate = (priority: Priority, waitedMs: number): boolean =>
  isOrder(priority) && waitedMs > PATIENCE_MS

/** What all accounts at one exchange may ask of it together. */
export interface Budget {
  /** Waits for the turn of one request. Fails where it does not come in time: then it must not be sent. */
  readonly take: (priority: Priority) => Effect.Effect<void, OverBudget>
}

/** `pausedUntil` is until when (ms) the exchange wants to be left alone; nothing has its turn before. */
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
  /** Who goes first: behind what is urgent all go by turns, since orders under way are asked about again and again. */
  let order: ReadonlyArray<Priority> = PRIORITIES
  let tokens = burst
  let filled = yield* Clock.currentTimeMillis

  /** Gives the next one its turn; says how long (ms) to wait before the next look, where nobody has it. */
  const look = (now: number): number => {
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
        const wait = look(yield* Clock.currentTimeMillis)
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
