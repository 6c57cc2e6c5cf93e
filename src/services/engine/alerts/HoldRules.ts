// Decides which alerts a bot holds until there is a price or an order in flight has ended, and which it answers at
// once. How long it holds them: `trading/AlertPatience`.
import { type Alert, isEntry } from "../../../domain/Alert.ts"
import type { Slot } from "../../../domain/Bot.ts"
import { EXCHANGE_NAMES } from "../../../domain/Market.ts"
import * as ChartOrder from "../../../trading/bot/ChartOrder.ts"
import type { Context } from "../../../trading/Decision.ts"
import { meaningOf } from "../../../trading/Routing.ts"
import { type BotEntry, marketsOf } from "../Roster.ts"
import { type HeldAlert, isPart, pairText } from "./HeldAlerts.ts"

/**
 * The most closing alerts held for one position with no entry between them. A pair has one position per exchange and each
 * alert that closes all closes one, so further alerts would find nothing to close.
 */
const maxExits = ({ strategy }: BotEntry): number =>
  Math.max(EXCHANGE_NAMES.length, strategy.settings.exchanges.length) + 1

/** The most closes of a part held for one position with no entry between them. */
const MAX_PARTS = 50

/** The most turns held for one position: unlike other entries they wait for a price without a deadline. */
const MAX_TURNS = 500

/** Whether a turn is one too many of those that wait to close the other side. */
export const isTurnTooMany = (bot: BotEntry, alert: Alert): boolean =>
  bot.held.entriesWaiting(alert) >= MAX_TURNS

/**
 * Whether the closing alerts held already leave nothing for this one to close, or it is one part too many. A part never
 * stands in the way of an alert that closes all.
 */
export const isSuperfluous = (bot: BotEntry, alert: Alert): boolean =>
  !isEntry(alert.type) &&
  (bot.held.exitsAhead(alert) >= maxExits(bot) || (isPart(alert) && bot.held.partsAhead(alert) >= MAX_PARTS))

/**
 * Whether an alert waits although no position is open: a closing alert behind a held entry, or a held alert during an
 * order in flight. A chart's message does not wait for another of that chart that waits for it.
 */
export const mustWait = (
  bot: BotEntry,
  alert: Alert,
  slot: Slot | undefined,
  held: HeldAlert | undefined
): boolean => isBehindEntry(bot, alert) || (held !== undefined && slot?.order !== undefined)

const isBehindEntry = (bot: BotEntry, alert: Alert): boolean => {
  const entries = bot.held.entriesAhead(alert)
  if (entries.length === 0 || alert.stated === undefined) return entries.length > 0
  const waiting = ChartOrder.waitingIn(bot.record.state, ChartOrder.keyOf(alert))
  return entries.some((id) => !waiting.includes(id))
}

/** Whether one of the markets where an alert may be decided has a price. */
export const isPriced = (bot: BotEntry, alert: Alert, context: Context): boolean => {
  const { kind } = meaningOf(alert.type)
  return marketsOf(bot, pairText(alert)).some((id) => context.quote({ ...id, kind }) !== undefined)
}
