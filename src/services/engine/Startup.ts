// Start-up is recovery: it loads the bots, the held alerts and the orders whose end is unknown, and asks the exchanges
// about those orders. No order is ever sent again.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import type { Order } from "../../domain/Order.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { Exchange } from "../Exchange.ts"
import { Portfolio } from "../Portfolio.ts"
import { StrategyStore } from "../StrategyStore.ts"
import type * as EngineState from "./EngineState.ts"
import { LookupSchedule } from "./orders/LookupSchedule.ts"
import { cancelOrder, requestReport } from "./orders/OrderLookups.ts"
import type { OutgoingOrder } from "./orders/OutgoingOrder.ts"
import { isAside } from "./Roster.ts"
import type { Turns } from "./Turns.ts"

/** Loads everything that the last run stored, and returns all strategies as of then. */
export const load = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  turns: Turns,
  options: EngineState.Options
) {
  const portfolio = yield* Portfolio
  const all = yield* (yield* StrategyStore).all
  const strategies = new Map(all.map((strategy) => [strategy.id, strategy]))
  for (const record of yield* portfolio.bots) {
    const strategy = strategies.get(record.strategy)
    if (strategy !== undefined) engineState.enlist(strategy, record)
  }
  for (const { held, strategy } of yield* engineState.recall.waiting()) {
    Option.map(engineState.roster.get(strategy), (bot) => bot.held.add(held))
  }
  for (const { fills, order, status } of yield* engineState.recall.unsettled())
    engineState.orders.recall(order, status, fills)
  yield* admit(engineState, strategies, options)
  const contextFor = yield* engineState.present
  for (const bot of engineState.roster.all()) {
    engineState.roster.reindex(bot)
    const context = contextFor(bot)
    engineState.engine.faults.attempt(bot, () => {
      // A bot that a restore disarmed may be flat already: then it goes back on paper.
      engineState.engine.periods.backToPaper(bot, context.now)
      engineState.engine.adoption.updateWatch(bot, context)
    })
  }
  yield* engineState.settle()
  yield* reconcile(engineState, turns)
  return all
})

/** Sets aside and takes back the strategies that the operator names, before any bot looks at a price. */
const admit = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  strategies: ReadonlyMap<number, Strategy>,
  { with: back = [], without = [] }: EngineState.Options
) {
  const now = yield* Clock.currentTimeMillis
  const contextFor = yield* engineState.present
  for (const id of [...without, ...back]) {
    const strategy = strategies.get(id)
    if (strategy === undefined)
      yield* Effect.logWarning(`there is no strategy ${id} to start with or without`)
    else {
      const bot = engineState.botOf(strategy, now)
      if (without.includes(id)) engineState.engine.adoption.setAside(bot, contextFor(bot), "operator")
      else engineState.engine.aside.readmit(bot, contextFor(bot))
    }
  }
  const aside = [...engineState.roster.all()].filter(isAside).map(({ strategy }) => strategy.id)
  if (aside.length > 0)
    yield* Effect.logWarning(`strategies set aside until they have new settings: ${aside.join(", ")}`)
})

/**
 * How long the start waits for exchanges to report on open orders (ms); the rest is asked about while the server runs.
 */
const REPORT_MS = 10_000

/** Asks about the orders that were open at the last shutdown, and logs what became of each. */
const reconcile = Effect.fnUntraced(function* (engineState: EngineState.EngineState, turns: Turns) {
  const before = yield* underWay(engineState)
  if (before.length === 0) return
  const { whole } = yield* inquiry(engineState, turns)
  yield* Effect.timeoutOption(whole, REPORT_MS)
  const left = new Set((yield* underWay(engineState)).map(({ ticket }) => ticket.order.id))
  for (const { bot, ticket } of before) {
    const { exchange, id, live, pair, quantity, side, type } = ticket.order
    if (live === undefined) continue
    const what = `order ${id} of strategy ${bot.strategy.id} (${type}: ${side} ${Decimal.toText(quantity)} ${pair} on ${exchange})`
    const isResting = type === "stop" && left.has(id)
    const open = isResting ? "rests at the exchange" : "not known yet, still being asked about"
    yield* Effect.logInfo(`${what}: ${left.has(id) ? open : "settled"}`)
  }
  // Orders decided since the start do not count: they are not of the last run.
  const unsettled = before.filter(({ ticket }) => left.has(ticket.order.id)).length
  yield* Effect.logInfo(
    `orders in flight at the last shutdown: ${before.length - unsettled} settled, ${unsettled} still being asked about`
  )
})

/** Orders whose end is unknown: in flight, or resting at an exchange. */
const underWay = (engineState: EngineState.EngineState): Effect.Effect<ReadonlyArray<OpenQuestion>> =>
  Effect.map(engineState.present, (contextFor) => {
    const all: Array<OpenQuestion> = []
    // There may be tens of thousands, and nearly all have nothing under way.
    for (const bot of engineState.roster.all()) {
      const { slots } = bot.record.state
      for (const key in isAside(bot) ? {} : slots) {
        const { order, stop, stopEnding } = slots[key] ?? {}
        for (const it of [order, stop]) {
          if (it === undefined || engineState.isAwaited(it.id)) continue
          all.push({
            bot,
            ticket: { order: it, fees: contextFor(bot).fees(it), at: it.at },
            isResting: it === stop && stopEnding !== true,
            isEnding: it === stop && stopEnding === true
          })
        }
      }
    }
    return all
  })

interface OpenQuestion extends OutgoingOrder<Order> {
  /** A stop that rests, perhaps for weeks: it is asked about less often. */
  readonly isResting: boolean
  /** A stop that is being cancelled, with the cancellation unconfirmed. */
  readonly isEnding: boolean
}

/** The most orders of one account that are asked about at a time. */
const ASKED_AT_ONCE = 8

/**
 * Asks the exchanges about open orders:
 * 1. In a `turn`, list the orders that are due (`Pace`).
 * 2. Outside of it, look each up, or cancel it again where it is being cancelled: that is harmless.
 * 3. In a `turn`, take in and store each report.
 * A slow exchange delays only its own account. Make it once, and run it again and again.
 */
export const inquiry = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  { quietTurn, turn }: Pick<Turns, "quietTurn" | "turn">
) {
  const exchange = yield* Exchange
  const pace = new LookupSchedule()

  const due = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const all = yield* quietTurn(underWay(engineState))
    pace.keep(new Set(all.map(nameOf)))
    return { isAny: all.length > 0, due: all.filter((it) => pace.isDue(nameOf(it), it.isResting, now)) }
  })

  const ask = (sending: OpenQuestion) =>
    Effect.flatMap(
      requestReport(
        sending.isEnding ? cancelOrder(exchange, sending.ticket) : exchange.lookup(sending.ticket),
        sending.ticket.order.id,
        engineState.scope
      ),
      (report) => turn(Effect.zipRight(engineState.takeIn(sending, report), engineState.settle()))
    )

  /** Accounts whose orders are being asked about. */
  const busy = new Set<number>()
  const ofAccount = (account: number, all: ReadonlyArray<OpenQuestion>) =>
    Effect.suspend(() => {
      if (busy.has(account)) return Effect.void
      busy.add(account)
      return Effect.forEach(all, ask, { concurrency: ASKED_AT_ONCE, discard: true }).pipe(
        Effect.ensuring(Effect.sync(() => busy.delete(account)))
      )
    })
  const rounds = Effect.map(due, ({ due, isAny }) => ({
    isAny,
    all: [...new Set(due.map(accountOf))].map((account) =>
      ofAccount(
        account,
        due.filter((it) => accountOf(it) === account)
      )
    )
  }))

  return {
    /** Ends when every due order has been asked about. */
    whole: Effect.flatMap(rounds, ({ all }) => Effect.all(all, { concurrency: "unbounded", discard: true })),
    /** Starts the asking in the background and does not wait for answers; whether any order is open. */
    start: Effect.flatMap(rounds, ({ all, isAny }) =>
      Effect.forEach(
        all,
        (round) => Effect.forkIn(Effect.catchAllCause(round, stumbled), engineState.scope),
        {
          discard: true
        }
      ).pipe(Effect.as(isAny))
    )
  }
})

/** The key for `Pace`: an order that starts to be cancelled is asked about at once, like a new one. */
const nameOf = ({ isEnding, isResting, ticket }: OpenQuestion): string =>
  `${ticket.order.id}${isResting ? " rests" : isEnding ? " is to end" : ""}`

/** Paper orders have no exchange account: they share 0. */
const accountOf = ({ ticket }: OpenQuestion): number => ticket.order.live?.account ?? 0

const stumbled = (cause: Cause.Cause<never>) =>
  Cause.isInterruptedOnly(cause)
    ? Effect.void
    : Effect.logError("the engine met a fault while it asked about orders, and continues", cause)
