// Held alerts are judged again at a new price or report, given up at their deadline, and answered when their strategy
// ends. Each call is bounded; a bot with more of them is called again.
import { type Alert, isEntry, type Reason } from "../../../domain/Alert.ts"
import { type Context, type Decision, NOTHING } from "../../../trading/Decision.ts"
import type { Patience } from "../../../trading/Patience.ts"
import { deadlinesOf, type HeldAlert, pairText } from "../HeldAlerts.ts"
import type { BotEntry } from "../Roster.ts"

/** The most held alerts of a bot that one call judges or gives up. */
export const MAX_AT_ONCE = 64

type Judge = (bot: BotEntry, alert: Alert, context: Context, held?: HeldAlert) => void
type Answer = (bot: BotEntry, alert: Alert, reason: Reason, decision: Decision, context: Context) => void

const everything = () => true

/** Makes `retry`, `resume`, `expire` and `dismiss`. */
export const heldAlertRetry = (
  judge: Judge,
  answer: Answer,
  look: (bot: BotEntry, context: Context) => void,
  isSending: (bot: BotEntry) => boolean,
  again: (bot: BotEntry) => void,
  patience: Patience
) => {
  /**
   * Judges the held alerts again, by arrival. After one that orders, the rest wait for the report of that order, as if
   * each had arrived after it. Past the bound, the bot is queued to be called again.
   */
  const judgeBehind = (
    bot: BotEntry,
    context: Context,
    from: number,
    concerns: (alert: Alert) => boolean
  ) => {
    let left = MAX_AT_ONCE
    let last = from
    for (const held of bot.held) {
      const { id } = held.alert
      if (id <= from || !concerns(held.alert)) continue
      if (isSending(bot)) return
      if (left-- === 0) {
        // A round that another call left unfinished keeps the earlier place.
        bot.retriedUpTo = Math.min(bot.retriedUpTo ?? last, last)
        return again(bot)
      }
      judge(bot, held.alert, context, held)
      last = id
    }
  }

  const retry = (bot: BotEntry, context: Context, concerns?: (alert: Alert) => boolean): void => {
    if (concerns === undefined) bot.retriedUpTo = undefined
    judgeBehind(bot, context, 0, concerns ?? everything)
  }

  /** Goes on behind the last alert of an unfinished round; without one, begins a round. */
  const resume = (bot: BotEntry, context: Context): void => {
    const from = bot.retriedUpTo ?? 0
    bot.retriedUpTo = undefined
    judgeBehind(bot, context, from, everything)
  }

  /**
   * Judges entries past their deadline, then the exits that waited behind them. Past the bound, the bot stays due for
   * the rest.
   */
  const expire = (bot: BotEntry, context: Context): void => {
    let left = MAX_AT_ONCE
    const pairs = new Set<string>()
    // Suppresses the search for the next deadline while entries are given up.
    bot.overdue = true
    let isDone = true
    for (const held of bot.held) {
      if (!isEntry(held.alert.type)) continue
      // Entries are sorted by deadline: the ones behind have time left too.
      if (deadlinesOf(held, patience).every((at) => at > context.now)) break
      isDone = left > 0 && !isSending(bot)
      if (!isDone) break
      judge(bot, held.alert, context, held)
      if (bot.held.get(held.alert.id) !== undefined) continue
      left--
      pairs.add(pairText(held.alert))
    }
    if (pairs.size > 0) retry(bot, context, (alert) => !isEntry(alert.type) && pairs.has(pairText(alert)))
    bot.overdue = !isDone
    // What was due has been handled.
    bot.wakesAt = Number.POSITIVE_INFINITY
    look(bot, context)
  }

  /** Answers every held alert, because the strategy ends. */
  const dismiss = (bot: BotEntry, context: Context): void => {
    for (const { alert } of bot.held) {
      answer(bot, alert, isEntry(alert.type) ? "strategy_inactive" : "no_position", NOTHING, context)
    }
  }

  return { retry, resume, expire, dismiss }
}
