import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Order } from "../../domain/Order.ts"
import { Exchange } from "../Exchange.ts"
import { Portfolio } from "../Portfolio.ts"
import { StrategyStore } from "../StrategyStore.ts"
import { asked } from "./Asking.ts"
import type { Desk } from "./Desk.ts"
import type { Sending } from "./Engine.ts"

/**
 * Takes up the work where the last run left it: bots, alerts that wait, orders whose end is not known. Gives all
 * strategies as they were then.
 */
export const load = Effect.fnUntraced(function* (desk: Desk, turn: Turn) {
  const portfolio = yield* Portfolio
  const all = yield* (yield* StrategyStore).all
  const strategies = new Map(all.map((strategy) => [strategy.id, strategy]))
  for (const record of yield* portfolio.bots) {
    const strategy = strategies.get(record.strategy)
    if (strategy !== undefined) desk.enlist(strategy, record)
  }
  for (const { held, strategy } of yield* desk.recall.waiting()) {
    Option.map(desk.roster.get(strategy), (bot) => bot.held.add(held))
  }
  for (const { fills, order, status } of yield* desk.recall.unsettled())
    desk.orders.recall(order, status, fills)
  const contextFor = yield* desk.present
  for (const bot of desk.roster.all()) {
    desk.roster.reindex(bot)
    desk.engine.safely(bot, () => desk.engine.look(bot, contextFor(bot)))
  }
  yield* desk.settle()
  yield* reconcile(desk, turn)
  return all
})

/** Lets requests be answered between two pieces of a long work. */
export const breathe = Effect.sleep(0)

/** For how long a start waits for what exchanges know of orders in flight: the rest is asked about while we run. */
const REPORT_MS = 10_000

/** What became of the orders in flight while nobody was there: asked, taken in, and told. */
const reconcile = Effect.fnUntraced(function* (desk: Desk, turn: Turn) {
  const before = yield* inFlight(desk)
  if (before.length === 0) return
  yield* Effect.timeoutOption(inquire(desk, turn), REPORT_MS)
  const left = yield* inFlight(desk)
  const settled = before.length - left.length
  yield* Effect.logInfo(
    `orders in flight at the last end: ${settled} settled, ${left.length} asked about further`
  )
})

/** One at a time: whoever has its turn may let the bots decide. */
export type Turn = <A>(self: Effect.Effect<A>) => Effect.Effect<A>

const inFlight = (desk: Desk): Effect.Effect<ReadonlyArray<Sending<Order>>> =>
  Effect.map(desk.present, (contextFor) =>
    [...desk.roster.all()].flatMap((bot) =>
      Object.values(bot.record.state.slots).flatMap(({ order }) =>
        order === undefined || desk.isAwaited(order.id)
          ? []
          : [{ bot, ticket: { order, fees: contextFor(bot).fees(order), at: order.at } }]
      )
    )
  )

/** The most orders that are asked about at a time. */
const ASKED_AT_ONCE = 8

/**
 * Orders in flight are asked about, never sent again. What is said of each is taken in and stored in a `turn`; so is
 * the list of them taken, when all that was decided is sent or on its way.
 */
export const inquire = Effect.fnUntraced(function* (desk: Desk, turn: Turn) {
  const exchange = yield* Exchange
  const ask = (sending: Sending<Order>) =>
    Effect.flatMap(asked(exchange.lookup(sending.ticket), sending.ticket.order.id, desk.scope), (said) =>
      turn(Effect.zipRight(desk.takeIn(sending, said), desk.settle()))
    )
  yield* Effect.forEach(yield* turn(inFlight(desk)), ask, { concurrency: ASKED_AT_ONCE, discard: true })
})
