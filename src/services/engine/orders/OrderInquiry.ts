// Asks the exchanges about orders whose end is unknown: at the start, and again and again while the server runs. No
// order is ever sent again.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Order } from "../../../domain/Order.ts"
import { Exchange } from "../../Exchange.ts"
import { isAway } from "../../records/StorageUnavailable.ts"
import type { EngineState } from "../EngineState.ts"
import * as PartitionLease from "../PartitionLease.ts"
import { isAside } from "../Roster.ts"
import type { Turn, Turns } from "../Turns.ts"
import { requestReport } from "./AnswerLimit.ts"
import { LookupSchedule } from "./LookupSchedule.ts"
import { cancelOrder } from "./OrderSender.ts"
import type { OutgoingOrder } from "./OutgoingOrder.ts"

/** An order that is asked about. */
interface OpenQuestion extends OutgoingOrder<Order> {
  /** A stop that rests, perhaps for weeks: it is asked about less often. */
  readonly isResting: boolean
  /** A stop or an entry that is being cancelled, with the cancellation unconfirmed. */
  readonly isEnding: boolean
}

/** The most orders of one account that are asked about at a time. */
const ASKED_AT_ONCE = 8

/**
 * Makes the inquiry:
 * 1. In a `turn`, list the orders that are due (`LookupSchedule`).
 * 2. Outside of it, look each up, or cancel it again where it is being cancelled: that is harmless.
 * 3. In a `turn`, take in and store each report.
 * A slow exchange delays only its own account. Make it once, and run it again and again.
 */
export const make = Effect.fnUntraced(function* (engineState: EngineState, { quietTurn, turn }: Turns) {
  const request = requesting(yield* Exchange, yield* PartitionLease.PartitionLease)
  const ask = asking(engineState, request, turn)
  const list = listing(engineState, quietTurn)
  const once = oncePerAccount()
  const rounds = Effect.map(list, ({ due, isAny }) => ({
    isAny,
    all: [...new Set(due.map(accountOf))].map((account) => {
      const own = due.filter((it) => accountOf(it) === account)
      return once(account, Effect.forEach(own, ask, { concurrency: ASKED_AT_ONCE, discard: true }))
    })
  }))
  const inBackground = (round: Effect.Effect<void>) =>
    Effect.forkIn(Effect.catchAllCause(round, stumbled), engineState.scope)

  return {
    /** Ends when every due order has been asked about. */
    whole: Effect.flatMap(rounds, ({ all }) => Effect.all(all, { concurrency: "unbounded", discard: true })),
    /** Starts the asking in the background and does not wait for answers; whether any order is open. */
    start: Effect.flatMap(rounds, ({ all, isAny }) =>
      Effect.as(Effect.forEach(all, inBackground, { discard: true }), isAny)
    )
  }
})

/** Makes the list of the orders that are due now, and whether any is open. */
const listing = (engineState: EngineState, quietTurn: Turn) => {
  const schedule = new LookupSchedule()
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const all = yield* quietTurn(underWay(engineState))
    schedule.keep(new Set(all.map(nameOf)))
    return { isAny: all.length > 0, due: all.filter((it) => schedule.isDue(nameOf(it), it.isResting, now)) }
  })
}

type Request = ReturnType<typeof requesting>

/** Makes the requests: an order that is being cancelled is cancelled again, and any other looked up. */
const requesting =
  (exchange: typeof Exchange.Service, lease: typeof PartitionLease.PartitionLease.Service) =>
  ({ bot, isEnding, ticket }: OpenQuestion) =>
    Effect.suspend(() =>
      isEnding
        ? PartitionLease.sending(lease, bot.strategy.account, cancelOrder(exchange, ticket))
        : exchange.lookup(ticket)
    )

/** Makes the request about one order; its report is taken in and stored in a turn. */
const asking =
  ({ orders, scope, settle, takeIn }: EngineState, request: Request, turn: Turn) =>
  (question: OpenQuestion): Effect.Effect<void> =>
    Effect.gen(function* () {
      const askedAt = yield* Clock.currentTimeMillis
      const report = yield* requestReport(request(question), question.ticket.order.id, scope)
      const note = Effect.sync(() => orders.answered(report, askedAt))
      yield* turn(note.pipe(Effect.zipRight(takeIn(question, report)), Effect.zipRight(settle())))
    })

/** Makes the rule that an account is not asked again while it is being asked. */
const oncePerAccount = () => {
  const busy = new Set<number>()
  return (account: number, round: Effect.Effect<void>) =>
    Effect.suspend(() => {
      if (busy.has(account)) return Effect.void
      busy.add(account)
      return Effect.ensuring(
        round,
        Effect.sync(() => busy.delete(account))
      )
    })
}

/** Orders whose end is unknown: in flight, or resting at an exchange. */
export const underWay = (engineState: EngineState): Effect.Effect<ReadonlyArray<OpenQuestion>> =>
  Effect.map(engineState.present, (contextFor) => {
    const all: Array<OpenQuestion> = []
    // There may be tens of thousands, and nearly all have nothing under way.
    for (const bot of engineState.roster.all()) {
      const { slots } = bot.record.state
      for (const key in isAside(bot) ? {} : slots) {
        const { entryEnding, order, stop, stopEnding } = slots[key] ?? {}
        for (const it of [order, stop]) {
          if (it === undefined || engineState.isAwaited(it.id)) continue
          const { fees, quote } = contextFor(bot)
          all.push({
            bot,
            ticket: { order: it, fees: fees(it), at: it.at, quote: () => quote(it) },
            isResting: it === stop && stopEnding !== true,
            isEnding: (it === stop ? stopEnding : entryEnding) === true
          })
        }
      }
    }
    return all
  })

/** The key for `LookupSchedule`: an order that starts to be cancelled is asked about at once, like a new one. */
const nameOf = ({ isEnding, isResting, ticket }: OpenQuestion): string =>
  `${ticket.order.id}${isResting ? " rests" : isEnding ? " is to end" : ""}`

/** Paper orders have no exchange account: they share 0. */
const accountOf = ({ ticket }: OpenQuestion): number => ticket.order.live?.account ?? 0

const stumbled = (cause: Cause.Cause<never>) =>
  // Whoever commits tells of a database that is away.
  Cause.isInterruptedOnly(cause) || isAway(cause)
    ? Effect.void
    : Effect.logError("the engine met a fault while it asked about orders, and continues", cause)
