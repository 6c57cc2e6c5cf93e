// DCA: while open, enter again when the price has moved `triggerPercent` against the average, the wait since the last
// entry fill is over, retries are left, and the strategy is active and not cooling down.
import type { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { MarketId } from "../../domain/Market.ts"
import { costLeft, type Position } from "../../domain/Position.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { Figures } from "../books/Positions.ts"
import type { Context } from "../Decision.ts"
import { adverse, against, reached } from "../Prices.ts"
import { barred, freeCash } from "../Risk.ts"
import { type EntryCheck, planned, refused } from "./entry.ts"
import { coolingUntil, isListed, minutesAfter, type Trigger, takesEntries, type View } from "./Trigger.ts"

/** The DCA trigger; undefined while a condition other than the price fails. */
export const dca = (view: View, position: Position, figures: Figures): Trigger | undefined => {
  const settings = view.context.settings.dca
  if (settings === undefined || view.context.now < waited(view, position, settings.waitMinutes))
    return undefined
  return isOpenTo(view, position, settings.maxRetries) ? triggerOf(position, figures, settings) : undefined
}

/**
 * The DCA trigger as a window has it: also while DCA waits, unless the price is at its level already. So the end of a
 * wait wakes no bot in vain.
 */
export const watchedDca = (view: View, position: Position, figures: Figures): Trigger | undefined => {
  const settings = view.context.settings.dca
  const at = dcaAt(view, position)
  if (settings === undefined || at === undefined) return undefined
  const trigger = triggerOf(position, figures, settings)
  return view.context.now < at && isMet(view, position, trigger.level) ? undefined : trigger
}

/** When a DCA that waits has to be looked at again (ms): only where the price is at its level already. */
export const dcaWakesAt = (view: View, position: Position, figures: Figures): number | undefined => {
  const settings = view.context.settings.dca
  if (settings === undefined) return undefined
  const { level } = triggerOf(position, figures, settings)
  return isMet(view, position, level) ? dcaAt(view, position) : undefined
}

const triggerOf = (position: Position, figures: Figures, { triggerPercent }: DcaSettings): Trigger => ({
  rule: "dca",
  when: adverse(position.side),
  level: against(position.side, figures.average, triggerPercent),
  reads: "opening"
})
type DcaSettings = NonNullable<Settings["dca"]>

/** Whether the price would leave a window with this level: a window looks at the bid below, and at the ask above. */
const isMet = ({ ticker }: View, { side }: Position, level: number): boolean =>
  reached(side === "long" ? ticker.bid : ticker.ask, level, adverse(side))

/** When the waits end (ms); undefined if no further entry can come. */
export const dcaAt = (view: View, position: Position): number | undefined => {
  const settings = view.context.settings.dca
  if (settings === undefined || !isOpenTo(view, position, settings.maxRetries)) return undefined
  return waited(view, position, settings.waitMinutes)
}

/** Sizes a DCA entry: a percentage of the cost of what is held. */
export const checkDca = (
  context: Context,
  state: BotState,
  id: MarketId,
  { position, price }: { readonly position: Position; readonly price: number }
): EntryCheck => {
  const market = context.market(id)
  const { dca } = context.settings
  if (market === undefined || dca === undefined) return refused("market_closed_for_buying")
  const wanted = Decimal.percentOf(costLeft(position), Decimal.fromNumber(dca.orderSizePercent))
  const { openedBy: alert, side } = position
  const proposal = { purpose: "dca", side, alert } as const
  return planned(context, state, market, { wanted, free: freeCash(state), price, market, proposal })
}

/** At most one entry fill per position and timestamp, even without a wait. */
const waited = ({ state }: View, { lastEntryAt }: Position, waitMinutes: number): number =>
  Math.max(minutesAfter(lastEntryAt, waitMinutes), lastEntryAt + 1, coolingUntil(state))

const isOpenTo = (view: View, position: Position, maxRetries: number): boolean =>
  view.context.settings.active &&
  view.state.closing === undefined &&
  barred(view.state, view.context.halted === true) === undefined &&
  retriesOf(position) < maxRetries &&
  isListed(view.context.settings, view.id) &&
  takesEntries(view.context, view.id) &&
  !isSkipped(view, position)

/** How many extra entries DCA made; those that alerts added use up none of its retries. */
export const retriesOf = ({ added = 0, entries }: Position): number => entries - 1 - added

/** A DCA order that was too small waits for the next entry fill, new settings or more free cash. */
const isSkipped = (view: View, position: Position): boolean =>
  position.dcaSkippedAt !== undefined && !Decimal.greaterThan(freeCash(view.state), position.dcaSkippedAt)
