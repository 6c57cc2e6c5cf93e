// Puts bots back to their state on disk after the store refused their steps for good. Alerts that such a bot had
// answered are held and judged again, once: if that is refused too, they are dropped.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Strategy } from "../../../domain/Strategy.ts"
import { type BotRecord, Portfolio, type Step } from "../../Portfolio.ts"
import type { ContextFor } from "../decide/Context.ts"
import type { OutcomeQuota } from "../decide/OutcomeQuota.ts"
import type { Engine } from "../Engine.ts"
import type { OrdersInFlight } from "../orders/OrdersInFlight.ts"
import type { BotEntry, Roster } from "../Roster.ts"
import * as Recovery from "./Recovery.ts"
import type { Refused } from "./Store.ts"

interface Parts {
  readonly engine: Engine
  readonly roster: Roster
  readonly orders: OrdersInFlight
  readonly quota: OutcomeQuota
  readonly present: Effect.Effect<ContextFor>
  readonly blank: (strategy: Strategy) => BotRecord
}

/** Reads back the refused ones among the bots of these steps. */
export type Reload = (steps: ReadonlyArray<Step>, refused: Refused) => Effect.Effect<void>

/** Makes the reload. */
export const make = Effect.fnUntraced(function* ({ blank, engine, orders, present, quota, roster }: Parts) {
  const portfolio = yield* Portfolio
  const recall = yield* Recovery.make
  /** Alerts that are held a second time because their answer was refused; cleared once nothing is refused. */
  const keptOnce = new Set<string>()

  const readBack = Effect.fnUntraced(function* (id: Strategy["id"], steps: ReadonlyArray<Step>) {
    for (const { outcomes } of steps) for (const { account, at } of outcomes) quota.add(account, at, -1)
    const bot = Option.getOrUndefined(roster.get(id))
    if (bot === undefined) return
    forget(bot, orders)
    const kept = yield* recall.waiting(id)
    const known = new Set(kept.map(({ held }) => held.alert.id))
    const lost = alertsOf(steps).filter((alert) => !known.has(alert) && !keptOnce.has(`${alert}:${id}`))
    const record = yield* portfolio.bot(id)
    if (record === undefined && lost.length === 0) return roster.delete(id)
    bot.record = record ?? blank(bot.strategy)
    if (record === undefined) engine.periods.open(bot, yield* Clock.currentTimeMillis)
    for (const { fills, order, status } of yield* recall.unsettled(id)) orders.recall(order, status, fills)
    for (const { alert } of [...bot.held]) if (!known.has(alert.id)) bot.held.drop(alert.id)
    for (const { held } of kept) bot.held.add(held)
    const context = (yield* present)(bot)
    for (const alert of yield* recall.alerts(lost)) {
      keptOnce.add(`${alert.id}:${id}`)
      engine.faults.attempt(bot, () => engine.judge.hold(bot, alert, context))
    }
    roster.reindex(bot)
    engine.faults.attempt(bot, () => engine.adoption.updateWatch(bot, context))
  })

  const reload: Reload = (steps, refused) => {
    if (refused.size === 0) keptOnce.clear()
    return Effect.forEach(
      refused,
      (id) =>
        readBack(
          id,
          steps.filter(({ bot }) => bot.strategy === id)
        ),
      { discard: true }
    )
  }
  return reload
})

/** Forgets the orders that only memory knows. */
const forget = (bot: BotEntry, orders: OrdersInFlight): void => {
  for (const { order, stop } of Object.values(bot.record.state.slots)) {
    if (order !== undefined) orders.forget(order.id)
    if (stop !== undefined) orders.forget(stop.id)
  }
}

/** The alerts that these steps answer or hold. */
const alertsOf = (steps: ReadonlyArray<Step>) =>
  steps.flatMap(({ outcomes, waits }) => [
    ...outcomes.map(({ alertId }) => alertId),
    ...waits.map(({ alert }) => alert)
  ])
