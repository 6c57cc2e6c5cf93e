// Sends stored orders to the exchange: cancellations first, then exits, then the rest. A slow exchange holds up
// nothing: its answer comes later, as an event.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { Order, OrderId } from "../../../domain/Order.ts"
import type { Exchange, Report } from "../../Exchange.ts"
import type { Breath } from "../Breath.ts"
import type { ContextFor } from "../Context.ts"
import type { Engine } from "../Engine.ts"
import { inGoodTime, soundly, takenBack } from "./OrderLookups.ts"
import type { OutgoingOrder } from "./OutgoingOrder.ts"

/** An exchange's late answer about an order. */
export interface Answer {
  readonly sending: OutgoingOrder<Order>
  readonly said: Report
}

/** Makes the sender; late answers go to the queue `answers`. */
export const make = (
  exchange: typeof Exchange.Service,
  engine: Engine,
  present: Effect.Effect<ContextFor>,
  scope: Scope.Scope,
  answers: Queue.Queue<Answer>,
  breath: Breath
) => {
  /** Orders that are being sent: nobody asks about them until the exchange has had time to answer. */
  const awaited = new Set<OrderId>()

  /**
   * Cancels and sends the orders of stored steps. A report that comes at once is taken in at once; a later one goes to
   * `answers`. With `contextFor`, during a walk through a candle, it waits for each report.
   */
  const send = Effect.fnUntraced(function* (
    sendings: ReadonlyArray<OutgoingOrder>,
    cancels: ReadonlyArray<OutgoingOrder<Order>>,
    contextFor: ContextFor | undefined
  ) {
    const isExit = ({ ticket }: OutgoingOrder) => ticket.order.purpose === "exit"
    for (const cancelling of cancels)
      yield* ask(cancelling, takenBack(exchange, cancelling.ticket), contextFor)
    for (const sending of [...sendings.filter(isExit), ...sendings.filter((it) => !isExit(it))])
      yield* ask(sending, exchange.submit(sending.ticket), contextFor)
  })

  const ask = Effect.fnUntraced(function* (
    sending: OutgoingOrder<Order>,
    asked: Effect.Effect<Report>,
    contextFor: ContextFor | undefined
  ) {
    const { id } = sending.ticket.order
    const asking = yield* Effect.forkIn(Effect.interruptible(soundly(asked, id)), scope)
    if (contextFor !== undefined) {
      const said = yield* inGoodTime(asking, id)
      const { bot } = sending
      engine.safely(bot, () => engine.report(sending, said, contextFor(bot)))
      return
    }
    // A simulated exchange answers within one yield.
    yield* Effect.zipRight(breath.pause, Effect.yieldNow())
    const exit = yield* Fiber.poll(asking)
    yield* Option.isSome(exit)
      ? Effect.flatMap(exit.value, (said) => takeIn(sending, said))
      : wait(sending, asking)
  })

  const wait = (sending: OutgoingOrder<Order>, asking: Fiber.Fiber<Report>) => {
    const { id } = sending.ticket.order
    awaited.add(id)
    return inGoodTime(asking, id).pipe(
      Effect.flatMap((said) => Queue.offer(answers, { sending, said })),
      Effect.ensuring(Effect.sync(() => awaited.delete(id))),
      Effect.interruptible,
      Effect.forkIn(scope)
    )
  }

  /** Takes in a report of an order, and judges the alerts that waited for it. */
  const takeIn = Effect.fnUntraced(function* (sending: OutgoingOrder<Order>, said: Report) {
    const { bot } = sending
    const context = (yield* present)(bot)
    engine.safely(bot, () => {
      engine.report(sending, said, context)
      engine.retry(bot, context)
    })
  })

  return { send, takeIn, answers: Queue.take(answers), isAwaited: (order: OrderId) => awaited.has(order) }
}
