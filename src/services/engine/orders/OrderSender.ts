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
import { inGoodTime, soundly, takenBack } from "./Asking.ts"
import type { Sending } from "./Sending.ts"

/** What an exchange said of an order, after a while. */
export interface Answer {
  readonly sending: Sending<Order>
  readonly said: Report
}

/** Where stored orders are handed to the exchange, and its answers come in. */
export const make = (
  exchange: typeof Exchange.Service,
  engine: Engine,
  present: Effect.Effect<ContextFor>,
  scope: Scope.Scope,
  answers: Queue.Queue<Answer>,
  breath: Breath
) => {
  /** Orders that are being sent: nobody asks about them before the exchange has had time to answer. */
  const awaited = new Set<OrderId>()

  /**
   * Takes back and sends the orders of stored steps, what gets rid of a position before what enters one. A report that
   * comes at once is taken in at once; others are handed to `answers` when they come, and meanwhile all goes on. Only a
   * walk through a bar waits for them.
   */
  const send = Effect.fnUntraced(function* (
    sendings: ReadonlyArray<Sending>,
    cancels: ReadonlyArray<Sending<Order>>,
    contextFor: ContextFor | undefined
  ) {
    const isExit = ({ ticket }: Sending) => ticket.order.purpose === "exit"
    for (const cancelling of cancels)
      yield* ask(cancelling, takenBack(exchange, cancelling.ticket), contextFor)
    for (const sending of [...sendings.filter(isExit), ...sendings.filter((it) => !isExit(it))])
      yield* ask(sending, exchange.submit(sending.ticket), contextFor)
  })

  const ask = Effect.fnUntraced(function* (
    sending: Sending<Order>,
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
    // An exchange of our own has answered by the time it is our turn again.
    yield* Effect.zipRight(breath.pause, Effect.yieldNow())
    const exit = yield* Fiber.poll(asking)
    yield* Option.isSome(exit)
      ? Effect.flatMap(exit.value, (said) => takeIn(sending, said))
      : wait(sending, asking)
  })

  const wait = (sending: Sending<Order>, asking: Fiber.Fiber<Report>) => {
    const { id } = sending.ticket.order
    awaited.add(id)
    return inGoodTime(asking, id).pipe(
      Effect.flatMap((said) => Queue.offer(answers, { sending, said })),
      Effect.ensuring(Effect.sync(() => awaited.delete(id))),
      Effect.interruptible,
      Effect.forkIn(scope)
    )
  }

  /** Takes in what an exchange said of an order; alerts that waited for it are judged again. */
  const takeIn = Effect.fnUntraced(function* (sending: Sending<Order>, said: Report) {
    const { bot } = sending
    const context = (yield* present)(bot)
    engine.safely(bot, () => {
      engine.report(sending, said, context)
      engine.retry(bot, context)
    })
  })

  return { send, takeIn, answers: Queue.take(answers), isAwaited: (order: OrderId) => awaited.has(order) }
}
