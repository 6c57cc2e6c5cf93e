// Puts bots back to their state on disk after the store refused their steps for good. Alerts that such a bot had
// answered are held and judged again, once: if that is refused too, they are dropped.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Strategy } from "../../../domain/Strategy.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import { bindingOn, Halts } from "../../money/Halts.ts"
import { type BotRecord, Portfolio, type Step } from "../../Portfolio.ts"
import type { ContextFor } from "../decide/Context.ts"
import type { OutcomeQuota } from "../decide/OutcomeQuota.ts"
import type { Engine } from "../Engine.ts"
import type { OrdersInFlight } from "../orders/OrdersInFlight.ts"
import type { BotEntry, Roster } from "../Roster.ts"
import type { Refused } from "./CommitRetry.ts"
import * as Recovery from "./Recovery.ts"

interface Parts {
  readonly engine: Engine
  readonly roster: Roster
  readonly orders: OrdersInFlight
  readonly quota: OutcomeQuota
  readonly present: Effect.Effect<ContextFor>
  readonly blank: (strategy: Strategy) => BotRecord
}

/**
 * Reads back the refused ones among the bots of these steps, each once: after a failed read it may be called again with
 * the same refusal, and reads back the rest.
 */
export type Reload = (steps: ReadonlyArray<Step>, refused: Refused) => Effect.Effect<void>

/** Makes the reload. */
export const make = Effect.fnUntraced(function* (parts: Parts) {
  /** Alerts that are held a second time because their answer was refused; cleared once nothing is refused. */
  const keptOnce = new Set<string>()
  const done = new WeakMap<Refused, Set<StrategyId>>()
  const read = yield* reading(parts.present, keptOnce)

  const reload: Reload = Effect.fnUntraced(function* (steps, refused) {
    if (refused.size === 0) return keptOnce.clear()
    const restored = done.get(refused) ?? new Set()
    done.set(refused, restored)
    for (const id of refused) {
      if (restored.has(id)) continue
      const own = steps.filter(({ bot }) => bot.strategy === id)
      const stored = yield* read(id, own)
      // Nothing fails between here and the end of a bot: it is read back as a whole or not at all.
      restore(parts, id, own, stored)
      for (const { id: alert } of stored.lost) keptOnce.add(`${alert}:${id}`)
      restored.add(id)
    }
  })
  return reload
})

/** Makes the reading of what a bot is put back to. `keptOnce`: alerts that are not judged a third time. */
const reading = Effect.fnUntraced(function* (
  present: Effect.Effect<ContextFor>,
  keptOnce: ReadonlySet<string>
) {
  const portfolio = yield* Portfolio
  const halts = yield* Halts
  const recall = yield* Recovery.make

  return Effect.fnUntraced(function* (id: StrategyId, steps: ReadonlyArray<Step>) {
    const kept = yield* recall.waitingOf(id)
    const known = new Set(kept.map(({ held }) => held.alert.id))
    const lost = alertsOf(steps).filter((alert) => !known.has(alert) && !keptOnce.has(`${alert}:${id}`))
    return {
      kept,
      known,
      lost: yield* recall.alerts(lost),
      record: yield* portfolio.bot(id),
      unsettled: yield* recall.unsettledOf(id),
      halts: yield* halts.all,
      contextFor: yield* present,
      now: yield* Clock.currentTimeMillis
    }
  })
})

type Stored = Effect.Effect.Success<ReturnType<Effect.Effect.Success<ReturnType<typeof reading>>>>

/** Undoes the steps in memory: the quota, the account's halt, and the bot with its orders and held alerts. */
const restore = (parts: Parts, id: StrategyId, steps: ReadonlyArray<Step>, stored: Stored): void => {
  const { quota, roster } = parts
  for (const { outcomes } of steps) for (const { account, at } of outcomes) quota.add(account, at, -1)
  for (const { account, halt } of steps)
    if (halt !== undefined) roster.bind(account, Option.isSome(bindingOn(stored.halts, account)))
  const bot = Option.getOrUndefined(roster.get(id))
  if (bot === undefined) return
  forget(bot, parts.orders)
  if (stored.record === undefined && stored.lost.length === 0) return roster.delete(id)
  restoreBot(parts, bot, stored)
}

const restoreBot = ({ blank, engine, orders, roster }: Parts, bot: BotEntry, stored: Stored): void => {
  const { contextFor, kept, known, lost, now, record, unsettled } = stored
  bot.record = record ?? blank(bot.strategy)
  if (record === undefined) engine.periods.open(bot, now)
  for (const { fills, order, status } of unsettled) orders.recall(order, status, fills)
  for (const { alert } of [...bot.held]) if (!known.has(alert.id)) bot.held.drop(alert.id)
  for (const { held } of kept) bot.held.add(held)
  const context = contextFor(bot)
  for (const alert of lost) engine.faults.attempt(bot, () => engine.judge.hold(bot, alert, context))
  roster.reindex(bot)
  engine.faults.attempt(bot, () => engine.adoption.updateWatch(bot, context))
}

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
