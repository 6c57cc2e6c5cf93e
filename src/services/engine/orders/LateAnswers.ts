// Orders that were sent and not answered at once: their answers are awaited in the background, and queued.
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { Order, OrderId } from "../../../domain/Order.ts"
import type { Report } from "../../Exchange.ts"
import { withinLimit } from "./AnswerLimit.ts"
import type { OutgoingOrder } from "./OutgoingOrder.ts"

/** An exchange's late answer about an order. */
export interface Answer {
  readonly sending: OutgoingOrder<Order>
  readonly report: Report
}

/** Makes the queue; nothing is awaited beyond the scope. */
export const make = Effect.fnUntraced(function* (scope: Scope.Scope) {
  const answers = yield* Queue.unbounded<Answer>()
  /** Orders that are being sent: nobody asks about them until the exchange has had time to answer. */
  const awaited = new Set<OrderId>()

  const wait = (sending: OutgoingOrder<Order>, fiber: Fiber.Fiber<Report>) => {
    const { id } = sending.ticket.order
    awaited.add(id)
    return withinLimit(fiber, id).pipe(
      Effect.flatMap((report) => Queue.offer(answers, { sending, report })),
      Effect.ensuring(Effect.sync(() => awaited.delete(id))),
      Effect.interruptible,
      Effect.forkIn(scope)
    )
  }
  return { wait, answers: Queue.take(answers), isAwaited: (order: OrderId) => awaited.has(order) }
})
