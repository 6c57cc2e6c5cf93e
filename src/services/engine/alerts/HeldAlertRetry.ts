// Held alerts are judged again at a new price or report, given up at their deadline, and answered when their strategy
// ends. Each call is bounded; a bot with more of them is called again.
import { isEntry } from "../../../domain/Alert.ts"
import type { AlertPatience } from "../../../trading/AlertPatience.ts"
import * as ChartOrder from "../../../trading/bot/ChartOrder.ts"
import type { Context } from "../../../trading/Decision.ts"
import type { Adoption } from "../decide/Adoption.ts"
import type { Outbox } from "../decide/Outbox.ts"
import type { BotEntry } from "../Roster.ts"
import { deadlinesOf, type HeldAlert, pairText } from "./HeldAlerts.ts"
import type { Judge } from "./Judge.ts"

/** The most held alerts of a bot that one call judges or gives up. */
export const MAX_AT_ONCE = 64

interface Parts {
  readonly judge: Pick<Judge, "judge">
  readonly adoption: Pick<Adoption, "answer" | "updateWatch">
  readonly outbox: Pick<Outbox, "isSending">
  readonly patience: AlertPatience
  /** Called for a bot that has more held alerts to judge than one call may. */
  readonly again: (bot: BotEntry) => void
}

/** Judges held alerts again. */
export class HeldAlertRetry {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Begins a round over the held alerts, or judges those that an event concerns. */
  retry(bot: BotEntry, context: Context, concerned?: Iterable<HeldAlert>): void {
    if (concerned === undefined) bot.retriedUpTo = undefined
    this.#judgeBehind(bot, context, 0, concerned ?? bot.held)
  }

  /** Goes on behind the last alert of an unfinished round; without one, begins a round. */
  resume(bot: BotEntry, context: Context): void {
    const from = bot.retriedUpTo ?? 0
    bot.retriedUpTo = undefined
    this.#judgeBehind(bot, context, from, bot.held)
  }

  /**
   * Judges entries past their deadline, then the exits that waited behind them. Past the bound, the bot stays due for
   * the rest.
   */
  expire(bot: BotEntry, context: Context): void {
    const { adoption, judge, outbox, patience } = this.#parts
    let left = MAX_AT_ONCE
    const pairs = new Set<string>()
    // Suppresses the search for the next deadline while entries are given up.
    bot.overdue = true
    let isDone = this.#letThrough(bot, context)
    for (const held of bot.held) {
      if (!isEntry(held.alert.type)) continue
      // Entries are sorted by deadline: the ones behind have time left too.
      if (deadlinesOf(held, patience).every((at) => at > context.now)) break
      isDone = isDone && left > 0 && !outbox.isSending(bot)
      if (!isDone) break
      judge.judge(bot, held.alert, context, held)
      if (bot.held.get(held.alert.id) !== undefined) continue
      left--
      pairs.add(pairText(held.alert))
    }
    if (pairs.size > 0) this.#retryExits(bot, context, pairs)
    bot.overdue = !isDone
    // Every alert that was due has been handled.
    bot.wakesAt = Number.POSITIVE_INFINITY
    adoption.updateWatch(bot, context)
  }

  /** Judges a chart's messages that have waited long enough for an earlier one; false where some are left. */
  #letThrough(bot: BotEntry, context: Context): boolean {
    const { judge, outbox } = this.#parts
    for (const id of ChartOrder.waitingIn(bot.record.state)) {
      const held = bot.held.get(id)
      if (held === undefined || context.now - held.since < ChartOrder.WAIT_MS) continue
      if (outbox.isSending(bot)) return false
      judge.judge(bot, held.alert, context, held)
      if (isEntry(held.alert.type)) this.#retryExits(bot, context, new Set([pairText(held.alert)]))
    }
    return true
  }

  /** Judges those exits of pairs that wait behind no entry any more. Its cost grows with their number alone. */
  #retryExits(bot: BotEntry, context: Context, pairs: ReadonlySet<string>): void {
    const waiting = ChartOrder.waitingIn(bot.record.state)
    const exits = [...pairs].flatMap((pair) => bot.held.exitsInFront(pair, waiting))
    this.retry(
      bot,
      context,
      exits.sort((one, other) => one.alert.id - other.alert.id)
    )
  }

  /** Answers every held alert, because the strategy ends. */
  dismiss(bot: BotEntry, context: Context): void {
    for (const { alert } of bot.held) {
      const reason = isEntry(alert.type) ? "strategy_inactive" : "no_position"
      this.#parts.adoption.answer(bot, { alert, reason }, context)
    }
  }

  /**
   * Judges the held alerts again, by arrival. After one that orders, the rest wait for the report of that order, as if
   * each had arrived after it. Past the bound, the bot is queued to be called again.
   */
  #judgeBehind(bot: BotEntry, context: Context, from: number, concerned: Iterable<HeldAlert>): void {
    const { again, judge, outbox } = this.#parts
    let left = MAX_AT_ONCE
    let last = from
    for (const held of concerned) {
      const { id } = held.alert
      if (id <= from || bot.held.get(id) !== held) continue
      if (outbox.isSending(bot)) return
      if (left-- === 0) {
        // A round that another call left unfinished keeps the earlier place.
        bot.retriedUpTo = Math.min(bot.retriedUpTo ?? last, last)
        return again(bot)
      }
      judge.judge(bot, held.alert, context, held)
      last = id
    }
  }
}
