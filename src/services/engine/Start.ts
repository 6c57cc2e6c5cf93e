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
import { asked, takenBack } from "./orders/Asking.ts"
import { Pace } from "./orders/Pace.ts"
import type { Sending } from "./orders/Sending.ts"
import { isAside } from "./Roster.ts"

/**
 * Takes up the work where the last run left it: bots, alerts that wait, orders whose end is not known. Gives all
 * strategies as they were then.
 */
export const load = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  turn: Turn,
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
    engineState.engine.safely(bot, () => {
      // Who was disarmed by a restore, with nothing open, has nothing to leave.
      engineState.engine.goHome(bot, context)
      engineState.engine.look(bot, context)
    })
  }
  yield* engineState.settle()
  yield* reconcile(engineState, turn)
  return all
})

/** Sets aside and takes back whom the operator names: before any bot looks at anything. */
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
      if (without.includes(id)) engineState.engine.setAside(bot, contextFor(bot), "operator")
      else engineState.engine.readmit(bot, contextFor(bot))
    }
  }
  const aside = [...engineState.roster.all()].filter(isAside).map(({ strategy }) => strategy.id)
  if (aside.length > 0)
    yield* Effect.logWarning(
      `set aside, and without events until they have new settings: strategies ${aside.join(", ")}`
    )
})

/** Lets requests be answered between two pieces of a long work. */
export const breathe = Effect.sleep(0)

/** For how long a start waits for what exchanges know of orders in flight: the rest is asked about while we run. */
const REPORT_MS = 10_000

/** What became of the orders under way while nobody was there: asked, taken in, and told. */
const reconcile = Effect.fnUntraced(function* (engineState: EngineState.EngineState, turn: Turn) {
  const before = yield* underWay(engineState)
  if (before.length === 0) return
  const { whole } = yield* inquiry(engineState, turn)
  yield* Effect.timeoutOption(whole, REPORT_MS)
  const left = new Set((yield* underWay(engineState)).map(({ ticket }) => ticket.order.id))
  for (const { bot, ticket } of before) {
    const { exchange, id, live, pair, quantity, side, type } = ticket.order
    if (live === undefined) continue
    const what = `order ${id} of strategy ${bot.strategy.id} (${type}: ${side} ${Decimal.toText(quantity)} ${pair} on ${exchange})`
    const isResting = type === "stop" && left.has(id)
    yield* Effect.logInfo(
      `${what}: ${isResting ? "rests at the exchange" : left.has(id) ? "not known yet, asked about further" : "settled"}`
    )
  }
  // What was decided on since is not of the last run.
  const unsettled = before.filter(({ ticket }) => left.has(ticket.order.id)).length
  yield* Effect.logInfo(
    `orders in flight at the last end: ${before.length - unsettled} settled, ${unsettled} asked about further`
  )
})

/** One at a time: whoever has its turn may let the bots decide. */
export type Turn = <A>(self: Effect.Effect<A>) => Effect.Effect<A>

/** Orders of which the end is not known: in flight, or resting at an exchange. */
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

interface OpenQuestion extends Sending<Order> {
  /** A stop may rest for weeks: it is asked about less often. */
  readonly isResting: boolean
  /** It is to be taken back, and nobody has said that it was. */
  readonly isEnding: boolean
}

/** The most orders of an account that are asked about at a time. */
const ASKED_AT_ONCE = 8

/**
 * Orders under way are asked about, never sent again. What is said of each is taken in and stored in a `turn`; so is the
 * list of them taken, when all that was decided is sent or on its way. One that is to end is asked to once more: that
 * is harmless. An account whose exchange is slow to answer holds up no other's. To be made once, and run again and again.
 */
export const inquiry = Effect.fnUntraced(function* (engineState: EngineState.EngineState, turn: Turn) {
  const exchange = yield* Exchange
  const pace = new Pace()

  const due = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const all = yield* turn(underWay(engineState))
    pace.keep(new Set(all.map(nameOf)))
    return all.filter((it) => pace.isDue(nameOf(it), it.isResting, now))
  })

  const ask = (sending: OpenQuestion) =>
    Effect.flatMap(
      asked(
        sending.isEnding ? takenBack(exchange, sending.ticket) : exchange.lookup(sending.ticket),
        sending.ticket.order.id,
        engineState.scope
      ),
      (said) => turn(Effect.zipRight(engineState.takeIn(sending, said), engineState.settle()))
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
  const rounds = Effect.map(due, (all) =>
    [...new Set(all.map(accountOf))].map((account) =>
      ofAccount(
        account,
        all.filter((it) => accountOf(it) === account)
      )
    )
  )

  return {
    /** Ends when all have been asked about. */
    whole: Effect.flatMap(rounds, (all) => Effect.all(all, { concurrency: "unbounded", discard: true })),
    /** Does not wait for answers. */
    begun: Effect.flatMap(rounds, (all) =>
      Effect.forEach(
        all,
        (round) => Effect.forkIn(Effect.catchAllCause(round, stumbled), engineState.scope),
        {
          discard: true
        }
      )
    )
  }
})

/** What is asked of an order: that it is to end is asked as if nothing had been. */
const nameOf = ({ isEnding, isResting, ticket }: OpenQuestion): string =>
  `${ticket.order.id}${isResting ? " rests" : isEnding ? " is to end" : ""}`

/** Paper orders are nobody's. */
const accountOf = ({ ticket }: OpenQuestion): number => ticket.order.live?.account ?? 0

const stumbled = (cause: Cause.Cause<never>) =>
  Cause.isInterruptedOnly(cause)
    ? Effect.void
    : Effect.logError("the engine stumbled while it asked about orders, and goes on", cause)
