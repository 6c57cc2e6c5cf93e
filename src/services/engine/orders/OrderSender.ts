// Sends stored orders to the exchange: cancellations first, then exits, then the rest. A slow exchange holds up
// nothing: its answer comes later, as an event.
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { AccountId } from "../../../domain/Account.ts"
import type { Order } from "../../../domain/Order.ts"
import { partitionOf } from "../../../domain/Partition.ts"
import { Exchange, type Report, type Ticket } from "../../Exchange.ts"
import type { Breath } from "../Breath.ts"
import type { ContextFor } from "../decide/Context.ts"
import type { Engine } from "../Engine.ts"
import * as PartitionLease from "../PartitionLease.ts"
import type { BotEntry } from "../Roster.ts"
import type { Observer } from "../store/Observer.ts"
import { failuresAsUnknown, withinLimit } from "./AnswerLimit.ts"
import * as LateAnswers from "./LateAnswers.ts"
import type { OutgoingOrder } from "./OutgoingOrder.ts"
import { SENDING_MS } from "./SendingLease.ts"

interface Parts {
  readonly engine: Engine
  readonly present: Effect.Effect<ContextFor>
  /** Requests end with it. */
  readonly scope: Scope.Scope
  /** The same for new orders on paper: it closes after a stop has stored the last steps, so that their orders are filled. */
  readonly lastScope: Scope.Scope
  readonly breath: Breath
  readonly isEnlisted: (bot: BotEntry) => boolean
}

/** Makes the sender. */
export const make = Effect.fnUntraced(function* ({
  breath,
  engine,
  isEnlisted,
  lastScope,
  present,
  scope
}: Parts) {
  const exchange = yield* Exchange
  const late = yield* LateAnswers.make(scope)
  const lease = yield* PartitionLease.PartitionLease

  /** Takes in a report of an order, and judges the alerts that waited for it: of a bot that is still this engine's. */
  const takeIn = Effect.fnUntraced(function* (sending: OutgoingOrder<Order>, report: Report) {
    const { bot } = sending
    if (!isEnlisted(bot)) return
    const context = (yield* present)(bot)
    engine.faults.attempt(bot, () => {
      engine.report(sending, report, context)
      engine.held.retry(bot, context)
    })
  })

  const ask = Effect.fnUntraced(function* (
    sending: OutgoingOrder<Order>,
    request: Effect.Effect<Report>,
    contextFor: ContextFor | undefined,
    isNew: boolean
  ) {
    const { bot, ticket } = sending
    const { id, live } = ticket.order
    const fiber = yield* Effect.forkIn(
      Effect.interruptible(failuresAsUnknown(request, id)),
      isNew && live === undefined ? lastScope : scope
    )
    if (contextFor !== undefined) {
      const report = yield* withinLimit(fiber, id)
      return void engine.faults.attempt(bot, () => engine.report(sending, report, contextFor(bot)))
    }
    // A simulated exchange answers within one yield.
    yield* Effect.zipRight(breath.pause, Effect.yieldNow())
    const exit = yield* Fiber.poll(fiber)
    if (Option.isNone(exit)) return yield* late.wait(sending, fiber)
    // A server that stops makes no more requests of a real exchange: it would not hear the answer, and could take back a
    // protective stop without the exit that was to follow. The next start asks about the order.
    if (Exit.isInterrupted(exit.value)) return
    yield* Effect.flatMap(exit.value, (report) => takeIn(sending, report))
  })

  return { send: sending(exchange, lease, ask), takeIn, answers: late.answers, isAwaited: late.isAwaited }
})

/**
 * Cancels and sends the orders of stored steps. A report that comes at once is taken in at once; a later one goes to
 * `answers`. With `contextFor`, during a walk through a candle, it waits for each report. Each request runs `within`
 * its order's trace.
 */
const sending = (exchange: typeof Exchange.Service, lease: Lease, ask: Ask) => {
  // Whoever sends it looks at the lease once more, when the request is made. An exchange of an embedder's may throw.
  const request = (account: AccountId, make: () => Effect.Effect<Report>) =>
    PartitionLease.sending(lease, account, Effect.suspend(make))
  return Effect.fnUntraced(function* (
    sendings: ReadonlyArray<OutgoingOrder>,
    cancels: ReadonlyArray<OutgoingOrder<Order>>,
    { contextFor, within }: Pick<Observer, "within"> & { readonly contextFor: ContextFor | undefined }
  ) {
    for (const cancelling of cancels) {
      const { bot, ticket } = cancelling
      const cancel = request(bot.strategy.account, () => cancelOrder(exchange, ticket))
      yield* ask(
        cancelling,
        within(ticket.order.id, () => cancel),
        contextFor,
        false
      )
    }
    for (const sending of exitsFirst(sendings)) {
      const { bot, ticket } = sending
      if (lease.leftOf(partitionOf(bot.strategy.account)) < SENDING_MS) continue
      const submit = request(bot.strategy.account, () => exchange.submit(ticket))
      yield* ask(
        sending,
        within(ticket.order.id, () => submit),
        contextFor,
        true
      )
    }
  })
}

type Lease = typeof PartitionLease.PartitionLease.Service

/** Makes a request of an exchange, for a new order or to cancel one, and takes its report in. */
type Ask = (
  sending: OutgoingOrder<Order>,
  request: Effect.Effect<Report>,
  contextFor: ContextFor | undefined,
  isNew: boolean
) => Effect.Effect<void>

export type OrderSender = Effect.Effect.Success<ReturnType<typeof make>>

/** Cancels an order; an exchange without `cancel` has no resting orders, and is asked about the order instead. */
export const cancelOrder = (
  { cancel, lookup }: typeof Exchange.Service,
  ticket: Ticket<Order>
): Effect.Effect<Report> => (cancel ?? lookup)(ticket)

const isExit = ({ ticket }: OutgoingOrder) => ticket.order.purpose === "exit"

const exitsFirst = (sendings: ReadonlyArray<OutgoingOrder>) => [
  ...sendings.filter(isExit),
  ...sendings.filter((it) => !isExit(it))
]
