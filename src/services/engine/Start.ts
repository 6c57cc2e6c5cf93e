import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Exchange } from "../Exchange.ts"
import { Journal } from "../Journal.ts"
import { Portfolio } from "../Portfolio.ts"
import { StrategyStore } from "../StrategyStore.ts"
import type { Desk } from "./Desk.ts"

/** Takes up the work where the last run left it: bots, alerts that wait, orders whose end is not known. */
export const load = Effect.fnUntraced(function* (desk: Desk) {
  const portfolio = yield* Portfolio
  const journal = yield* Journal
  const strategies = new Map((yield* (yield* StrategyStore).all).map((strategy) => [strategy.id, strategy]))
  for (const record of yield* portfolio.bots) {
    const strategy = strategies.get(record.strategy)
    if (strategy !== undefined) desk.enlist(strategy, record)
  }
  for (const { alert: id, owner, since, strategy } of yield* portfolio.waiting) {
    const bot = desk.roster.get(strategy)
    if (Option.isNone(bot)) continue
    const alert = yield* Effect.orDie(journal.get(owner, id))
    bot.value.held = [...bot.value.held, { alert, since }]
  }
  const contextFor = yield* desk.present
  for (const bot of desk.roster.all()) {
    desk.roster.reindex(bot)
    desk.engine.look(bot, contextFor(bot))
  }
  yield* reconcile(desk)
})

/** Orders in flight are asked about, never sent again. */
const reconcile = Effect.fnUntraced(function* (desk: Desk) {
  const exchange = yield* Exchange
  for (const { order, strategy } of yield* (yield* Portfolio).unsettled) {
    const bot = desk.roster.get(strategy)
    if (Option.isNone(bot)) continue
    const context = (yield* desk.present)(bot.value)
    const sending = { bot: bot.value, ticket: { order, fees: context.fees(order), at: order.at } }
    desk.engine.report(sending, yield* exchange.lookup(sending.ticket), context)
    yield* desk.settle()
  }
})
