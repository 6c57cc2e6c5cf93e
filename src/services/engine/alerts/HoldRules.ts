// Which alerts a bot holds until there is a price, or an order in flight has ended, and which it need not hold.
import { type Alert, isEntry } from "../../../domain/Alert.ts"
import type { Slot } from "../../../domain/Bot.ts"
import { EXCHANGE_NAMES } from "../../../domain/Market.ts"
import type { Context } from "../../../trading/Decision.ts"
import { meaningOf } from "../../../trading/Routing.ts"
import { type HeldAlert, pairText } from "../HeldAlerts.ts"
import { type BotEntry, marketsOf } from "../Roster.ts"

/**
 * Closing alerts that wait on one position, with no entry between them. Each closes one position of the pair at most, and
 * there is one an exchange: those beyond would find nothing to close.
 */
export const MAX_EXITS = EXCHANGE_NAMES.length + 1

/** Whether so many closing alerts for the position wait already that there is nothing left for this one. */
export const isSuperfluous = ({ held }: BotEntry, alert: Alert): boolean =>
  !isEntry(alert.type) && held.exitsAhead(alert) >= MAX_EXITS

/**
 * Whether an alert waits although nothing is open where it acts: a closing alert behind an entry that waits, and an
 * alert that waits already until the entry in flight has ended.
 */
export const mustWait = (
  bot: BotEntry,
  alert: Alert,
  slot: Slot | undefined,
  held: HeldAlert | undefined
): boolean => bot.held.isBehindEntry(alert) || (held !== undefined && slot?.order !== undefined)

/** Whether one of the markets where an alert may be decided has a price. */
export const isPriced = (bot: BotEntry, alert: Alert, context: Context): boolean => {
  const { kind } = meaningOf(alert.type)
  return marketsOf(bot, pairText(alert)).some((id) => context.quote({ ...id, kind }) !== undefined)
}
