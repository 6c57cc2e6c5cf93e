// The watch window of each slot: the bid, ask and time that a bot must see again. No other price or time can change its
// mind, so all others can be skipped.
import type { BotState, Slot } from "../domain/Bot.ts"
import type { Ticker } from "../domain/Ticker.ts"
import { waits } from "./bot/Retry.ts"
import { isDue } from "./bot/Turns.ts"
import type { Context } from "./Decision.ts"
import { TOLERANCE } from "./Prices.ts"
import { ownWindow } from "./rules/ownExit.ts"
import { isMissing } from "./rules/RestingStops.ts"
import { nextTime, triggers, viewOf } from "./rules/Rules.ts"
import { isBusy, isHeldUp, type Trigger } from "./rules/Trigger.ts"
import { moved, type Trail, trailOf } from "./rules/trailing.ts"

/**
 * A slot's window: a bid at or below `below`, an ask at or above `above`, a time at or after `at` (ms), or the trail.
 * The tolerance for equal prices is included. A trail's own level is not; `advance` moves it as state, without a
 * decision.
 */
export interface Window {
  readonly below: number
  readonly above: number
  readonly at: number
  readonly trail?: Trail
}

/** A window that no price leaves. */
export const CLOSED: Window = {
  below: Number.NEGATIVE_INFINITY,
  above: Number.POSITIVE_INFINITY,
  at: Number.POSITIVE_INFINITY
}
/** A window that every price leaves: there was no price yet, or a due order ended unfilled. */
const OPEN: Window = {
  below: Number.POSITIVE_INFINITY,
  above: Number.NEGATIVE_INFINITY,
  at: Number.POSITIVE_INFINITY
}

/**
 * The windows of all slots, by market key. Valid until the bot's next event. With positions on several feeds the
 * balance rules' room is divided among them, so leaving a window may change nothing; compute the windows anew then.
 */
export const watch = (context: Context, state: BotState): ReadonlyMap<string, Window> => {
  const windows = new Map<string, Window>()
  for (const key in state.slots) {
    const slot = state.slots[key]
    if (slot !== undefined) windows.set(key, windowOf(context, state, slot))
  }
  return windows
}

/**
 * One slot's window. Without a price every price leaves it, and the time at which the entry of a turn becomes stale; with an order in flight only the balance rules bound it.
 */
export const windowOf = (context: Context, state: BotState, slot: Slot): Window => {
  const ticker = context.quote(slot)
  if (ticker === undefined)
    return slot.turn?.until === undefined ? OPEN : { ...OPEN, at: slot.turn.until + 1 }
  const isFree = !isHeldUp(slot, context.now)
  if (state.closing !== undefined) return isFree ? OPEN : { ...CLOSED, at: waitOf(slot, context.now) }
  if (isFree && (isOwed(context, state, slot) || isDue(slot))) return OPEN
  const view = viewOf(context, state, slot, ticker)
  let below = Number.NEGATIVE_INFINITY
  let above = Number.POSITIVE_INFINITY
  const own = context.own === undefined ? undefined : ownWindow(view)
  const found = triggers(view, "all", true)
  for (const trigger of own === undefined ? found : [...found, ...own.levels]) {
    if (trigger.when === "now") return OPEN
    if (isTrail(trigger, slot)) continue
    const slack = Math.abs(trigger.level) * TOLERANCE
    if (trigger.when === "below") below = Math.max(below, trigger.level + slack)
    else above = Math.min(above, trigger.level - slack)
  }
  const trail = isFree ? trailOf(view) : undefined
  const due = isFree ? nextTime(view) : waitOf(slot, context.now)
  const at = own === undefined ? due : Math.min(due, own.at)
  return trail === undefined ? { below, above, at } : { below, above, at, trail }
}

/** Whether a delayed exit or stop must be sent at the next price. */
const isOwed = (context: Context, state: BotState, slot: Slot): boolean =>
  slot.position !== undefined &&
  slot.retry !== undefined &&
  (slot.retry.wish !== undefined || isMissing(state, context, slot))

/** When the wait after a rejected exit ends (ms). */
const waitOf = (slot: Slot, now: number): number =>
  slot.retry !== undefined && !isBusy(slot) && waits(slot.retry, now)
    ? slot.retry.until
    : Number.POSITIVE_INFINITY

/** Whether this price at `now` (ms) can change the decision. */
export const leaves = (window: Window, ticker: Ticker, now: number): boolean =>
  ticker.bid <= window.below ||
  ticker.ask >= window.above ||
  now >= window.at ||
  (window.trail !== undefined && turns(window.trail, priceOf(window.trail, ticker)))

/** The window with its trail moved to the price; the same object if the price is not beyond the extreme. */
export const advance = (window: Window, ticker: Ticker): Window => {
  const { trail } = window
  if (trail === undefined) return window
  const price = priceOf(trail, ticker)
  const further = trail.follows === "highest" ? price > trail.extreme : price < trail.extreme
  return further ? { ...window, trail: { ...trail, extreme: price } } : window
}

/** The state with one slot's trail moved to the price, as `advance` moves the window. Not a journal entry. */
export const follow = (state: BotState, key: string, ticker: Ticker): BotState => {
  const slot = state.slots[key]
  if (slot === undefined || isBusy(slot)) return state
  const next = moved(slot, ticker)
  return next === slot ? state : { ...state, slots: { ...state.slots, [key]: next } }
}

const turns = (trail: Trail, price: number): boolean =>
  trail.follows === "highest"
    ? price <= turnBelow(trail.extreme, trail.ratio, trail.gate)
    : price >= turnAbove(trail.extreme, trail.ratio, trail.gate)

/** The price at which a trail on the highest price turns; -Infinity while its level is below its gate. */
export const turnBelow = (
  extreme: number,
  ratio: number,
  gate: number = Number.NEGATIVE_INFINITY
): number => {
  const level = extreme * ratio
  return level >= gate * (1 - TOLERANCE) ? level * (1 + TOLERANCE) : Number.NEGATIVE_INFINITY
}

/** The price at which a trail on the lowest price turns; Infinity while its level is above its gate. */
export const turnAbove = (
  extreme: number,
  ratio: number,
  gate: number = Number.POSITIVE_INFINITY
): number => {
  const level = extreme * ratio
  return level <= gate * (1 + TOLERANCE) ? level * (1 - TOLERANCE) : Number.POSITIVE_INFINITY
}

/** The price a trail reads: the bid for a long's exit and a short's entry, else the ask. */
const priceOf = (trail: Trail, ticker: Ticker): number =>
  trail.follows === "highest" ? ticker.bid : ticker.ask

/** The trail's own level belongs to the trail; a gate met from the far side is a level like any other. */
const isTrail = (trigger: Trigger, slot: Slot): boolean => {
  if (trigger.rule === "trailing_buy") return true
  if (trigger.rule !== "trailing_sell") return false
  return trigger.when === (slot.position?.side === "long" ? "below" : "above")
}
