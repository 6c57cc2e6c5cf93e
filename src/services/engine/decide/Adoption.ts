// Gives a bot an event, asks `trading/Bot` what to do, and makes that the bot's new state. What has to be stored goes
// to the outbox as a step; a decision that changes nothing makes none.
import { isEntry } from "../../../domain/Alert.ts"
import type { AlertPatience } from "../../../trading/AlertPatience.ts"
import { apply, decide, watch } from "../../../trading/Bot.ts"
import * as ChartOrder from "../../../trading/bot/ChartOrder.ts"
import { type Context, type Decision, type Event, NOTHING } from "../../../trading/Decision.ts"
import type { Performance } from "../../Performance.ts"
import { nextDeadline } from "../alerts/HeldAlerts.ts"
import { type BotEntry, isAside, type Roster } from "../Roster.ts"
import type { Outbox } from "./Outbox.ts"
import type { OutcomeQuota } from "./OutcomeQuota.ts"
import type { Periods } from "./Periods.ts"
import type { AsideReason, SetAside } from "./SetAside.ts"
import { type Also, stepOf } from "./Steps.ts"
import type { AnsweredAlert } from "./TimelineTexts.ts"

interface Parts {
  readonly roster: Roster
  readonly outbox: Outbox
  readonly periods: Periods
  readonly aside: SetAside
  readonly performance: typeof Performance.Service
  readonly quota: Pick<OutcomeQuota, "add">
  readonly patience: AlertPatience
}

/** Adopts decisions. A bot in the roster is always in the state that it will have once its steps are stored. */
export class Adoption {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Gives a bot an event that is not an alert. A bot that is set aside gets none. */
  handle(bot: BotEntry, event: Event, context: Context, also: Also = {}): void {
    if (!isAside(bot)) this.adopt(bot, decide(context, bot.record.state, event), context, also)
  }

  /** Answers an alert, with the decision that led to the answer. */
  answer(bot: BotEntry, answered: AnsweredAlert, context: Context, decision: Decision = NOTHING): void {
    this.adopt(bot, decision, context, { alert: answered })
  }

  adopt(bot: BotEntry, decision: Decision, context: Context, also: Also): void {
    if (decision.overrun === true) return this.setAside(bot, context)
    const { notes, orders, postings, trades } = decision
    const state = apply(bot.record.state, decision)
    const isTrace = notes.length + orders.length + postings.length + trades.length > 0
    if (isTrace || also.alert !== undefined || also.wait !== undefined || also.status !== undefined)
      this.#step(bot, decision, context, { state, also })
    else if (state !== bot.record.state) {
      bot.record = { ...bot.record, state }
      bot.moved = true
    }
    this.updateWatch(bot, context)
  }

  /** Makes the step of a decision. */
  #step(
    bot: BotEntry,
    decision: Decision,
    context: Context,
    { also, state }: { readonly also: Also; readonly state: BotEntry["record"]["state"] }
  ): void {
    const { outbox, performance, periods, quota, roster } = this.#parts
    const { record } = bot
    const tally = decision.trades.reduce(performance.add, record.tally)
    const isUnchanged = state === record.state && tally === record.tally && !bot.moved
    if (!isUnchanged) bot.record = { strategy: record.strategy, state, tally, step: record.step + 1 }
    bot.moved = false
    if (also.alert !== undefined) {
      bot.held.drop(also.alert.alert.id)
      quota.add(bot.strategy.account, context.now)
    }
    outbox.push(stepOf(bot, decision, context.now, isUnchanged ? { ...also, unchanged: true } : also))
    outbox.send(bot, decision, context)
    if (decision.trip !== undefined) roster.bind(bot.strategy.account, true)
    periods.backToPaper(bot, context.now)
    roster.reindex(bot)
  }

  /** Sets a bot aside, and answers the entries that it holds: they would be too late afterwards. */
  setAside(bot: BotEntry, context: Context, reason?: AsideReason): void {
    if (isAside(bot)) return
    this.#parts.aside.put(bot, context, reason)
    for (const { alert } of bot.held)
      if (isEntry(alert.type)) this.answer(bot, { alert, reason: "set_aside" }, context)
  }

  /** Notes which prices and deadlines can change the next decision. A deadline that passed unseen stays due. */
  updateWatch(bot: BotEntry, context: Context): void {
    const { aside, patience, roster } = this.#parts
    if (isAside(bot)) return aside.rest(bot)
    if (bot.wakesAt <= context.now) bot.overdue = true
    roster.watch(bot, watch(context, bot.record.state))
    let wakesAt = Number.POSITIVE_INFINITY
    // A slot without a price waits for a price, not for a deadline.
    for (const { at } of bot.windows.values()) if (at > 0 && at < wakesAt) wakesAt = at
    for (const id of ChartOrder.waitingIn(bot.record.state)) {
      const since = bot.held.get(id)?.since
      const until = since === undefined ? 0 : since + ChartOrder.WAIT_MS
      if (until > context.now) wakesAt = Math.min(wakesAt, until)
    }
    roster.wake(bot, bot.overdue ? 0 : Math.min(wakesAt, nextDeadline(bot.held, patience, context.now)))
  }
}
