import { type Alert, isEntry, type Reason } from "../../../domain/Alert.ts"
import { type Context, type Decision, NOTHING } from "../../../trading/Decision.ts"
import type { Patience } from "../../../trading/Routing.ts"
import { deadlinesOf, type Held, pairText } from "../Holding.ts"
import type { BotEntry } from "../Roster.ts"

/** Alerts of a bot that are judged again, or given up, in one go. */
export const MAX_AT_ONCE = 64

type Judge = (bot: BotEntry, alert: Alert, context: Context, held?: Held) => void
type Answer = (bot: BotEntry, alert: Alert, reason: Reason, decision: Decision, context: Context) => void

/** What becomes of the alerts that a bot holds. */
export const waits = (
  judge: Judge,
  answer: Answer,
  look: (bot: BotEntry, context: Context) => void,
  isSending: (bot: BotEntry) => boolean,
  again: (bot: BotEntry) => void,
  patience: Patience
) => {
  /**
   * Judges the alerts that a bot holds once more, in order of arrival. After one that orders something the others wait:
   * they are judged when the report of that order has been taken in, as if each had come after it. A bot may hold many:
   * for those that are left after some, it is to be asked again.
   */
  const retry = (bot: BotEntry, context: Context, concerns: (alert: Alert) => boolean = () => true): void => {
    let left = MAX_AT_ONCE
    for (const held of bot.held) {
      if (!concerns(held.alert)) continue
      if (isSending(bot)) return
      if (left-- === 0) return again(bot)
      judge(bot, held.alert, context, held)
    }
  }

  /**
   * The same for entries whose time is up, and for closing alerts that waited behind them. Where there are many, for the
   * first: the bot stays due for the rest.
   */
  const expire = (bot: BotEntry, context: Context): void => {
    let left = MAX_AT_ONCE
    const pairs = new Set<string>()
    // While they are given up nobody looks for the next deadline among them.
    bot.overdue = true
    let isDone = true
    for (const held of bot.held) {
      if (!isEntry(held.alert.type)) continue
      // They came one after the other: those behind have time left too.
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
    // What was due has been looked at.
    bot.wakesAt = Number.POSITIVE_INFINITY
    look(bot, context)
  }

  /** The strategy is going: alerts that it holds get their outcome. */
  const dismiss = (bot: BotEntry, context: Context): void => {
    for (const { alert } of bot.held) {
      answer(bot, alert, isEntry(alert.type) ? "strategy_inactive" : "no_position", NOTHING, context)
    }
  }

  return { retry, expire, dismiss }
}
