import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Exchange } from "../Exchange.ts"
import { Journal } from "../Journal.ts"
import { Portfolio } from "../Portfolio.ts"
import { StrategyStore } from "../StrategyStore.ts"
import { type Desk, unfailing } from "./Desk.ts"

/** Takes up the work where the last run left it: bots, alerts that wait, orders whose end is not known. */
export const load = Effect.fnUntraced(function* (desk: Desk) {
  const portfolio = yield* Portfolio
  const strategies = new Map((yield* (yield* StrategyStore).all).map((strategy) => [strategy.id, strategy]))
  for (const record of yield* portfolio.bots) {
    const strategy = strategies.get(record.strategy)
    if (strategy !== undefined) desk.enlist(strategy, record)
  }
  yield* takeUpWaiting(desk)
  yield* recallOrders(desk)
  const contextFor = yield* desk.present
  for (const bot of desk.roster.all()) {
    desk.roster.reindex(bot)
    desk.engine.safely(bot, () => desk.engine.look(bot, contextFor(bot)))
  }
  yield* desk.settle()
  yield* inquire(desk)
})

/** Lets requests be answered between two pieces of a long work. */
export const breathe = Effect.sleep(0)

const takeUpWaiting = Effect.fnUntraced(function* (desk: Desk) {
  const journal = yield* Journal
  const waiting = yield* (yield* Portfolio).waiting
  const alerts = new Map(
    (yield* journal.among(waiting.map(({ alert }) => alert))).map((alert) => [alert.id, alert])
  )
  for (const { alert: id, since, strategy } of waiting) {
    const bot = desk.roster.get(strategy)
    const alert = alerts.get(id)
    // Alerts are not kept for ever; what has waited for longer has nothing to act on any more.
    if (Option.isNone(bot) || alert === undefined) continue
    bot.value.held.add({ alert, since })
  }
})

const recallOrders = Effect.fnUntraced(function* (desk: Desk) {
  const portfolio = yield* Portfolio
  for (const { order, status, strategy } of yield* portfolio.unsettled) {
    const fills = status === "partly_filled" ? yield* portfolio.fills(strategy) : []
    desk.orders.recall(order.id, status, fills.filter((fill) => fill.order === order.id).length)
  }
})

/** Orders in flight are asked about, never sent again. */
export const inquire = Effect.fnUntraced(function* (desk: Desk) {
  const exchange = yield* Exchange
  for (const bot of desk.roster.all()) {
    for (const { order } of Object.values(bot.record.state.slots)) {
      if (order === undefined) continue
      const context = (yield* desk.present)(bot)
      const ticket = { order, fees: context.fees(order), at: order.at }
      const said = yield* unfailing(exchange.lookup(ticket), order.id)
      desk.engine.safely(bot, () => {
        desk.engine.report({ bot, ticket }, said, context)
        desk.engine.retry(bot, context)
      })
      yield* desk.settle()
    }
  }
})
