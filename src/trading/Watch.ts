import type { BotState, Slot } from "../domain/Bot.ts"
import type { Ticker } from "../domain/Ticker.ts"
import { waits } from "./bot/Retry.ts"
import type { Context } from "./Decision.ts"
import { TOLERANCE } from "./Prices.ts"
import { nextTime, triggers, viewOf } from "./rules/Rules.ts"
import { isMissing } from "./rules/Stops.ts"
import { isBusy, isHeldUp, type Trigger } from "./rules/Trigger.ts"
import { moved, type Trail, trailOf } from "./rules/trailing.ts"

/**
 * The only prices and time that can change a bot's mind about one slot: a bid at or under `below`, an ask at or
 * over `above`, a time at or after `at` (ms), or the trail. The tolerance for equal prices is in the bounds.
 * A trail's own level is not in them: `advance` moves it, and that is state, not a decision.
 */
export interface Window {
  readonly below: number
  readonly above: number
  readonly at: number
  readonly trail?: Trail
}

/** Nothing can happen here. */
export const CLOSED: Window = {
  below: Number.NEGATIVE_INFINITY,
  above: Number.POSITIVE_INFINITY,
  at: Number.POSITIVE_INFINITY
}
/** Whatever price comes next is looked at: one is missing, or an order that was due came to nothing. */
const OPEN: Window = {
  below: Number.POSITIVE_INFINITY,
  above: Number.NEGATIVE_INFINITY,
  at: Number.POSITIVE_INFINITY
}

/**
 * The windows of all slots that hold anything, by market key. Good until the next event of this bot. With
 * positions on several feeds the balance rules' room is shared out among them, so that leaving a window may turn
 * out to change nothing; then the windows are to be taken anew.
 */
export const watch = (context: Context, state: BotState): ReadonlyMap<string, Window> => {
  const windows = new Map<string, Window>()
  for (const key in state.slots) {
    const slot = state.slots[key]
    if (slot !== undefined) windows.set(key, windowOf(context, state, slot))
  }
  return windows
}

/** One slot's window; everything is news to a slot that has no price yet, nothing to one with an order in flight. */
export const windowOf = (context: Context, state: BotState, slot: Slot): Window => {
  const ticker = context.quote(slot)
  if (ticker === undefined) return OPEN
  const isFree = !isHeldUp(slot, context.now)
  if (state.closing !== undefined) return isFree ? OPEN : { ...CLOSED, at: waitOf(slot, context.now) }
  if (isFree && isOwed(context, state, slot)) return OPEN
  const view = viewOf(context, state, slot, ticker)
  let below = Number.NEGATIVE_INFINITY
  let above = Number.POSITIVE_INFINITY
  for (const trigger of triggers(view, "all", true)) {
    if (trigger.when === "now") return OPEN
    if (isTrail(trigger, slot)) continue
    const slack = Math.abs(trigger.level) * TOLERANCE
    if (trigger.when === "below") below = Math.max(below, trigger.level + slack)
    else above = Math.min(above, trigger.level - slack)
  }
  const trail = isFree ? trailOf(view) : undefined
  const at = isFree ? nextTime(view) : waitOf(slot, context.now)
  return trail === undefined ? { below, above, at } : { below, above, at, trail }
}

/** Whether what had to wait is to be made with the next price: an exit that was decided, or a stop. */
const isOwed = (context: Context, state: BotState, slot: Slot): boolean =>
  slot.position !== undefined &&
  slot.retry !== undefined &&
  (slot.retry.wish !== undefined || isMissing(state, context, slot))

/** When an exit that was turned down has waited long enough (ms). */
const waitOf = (slot: Slot, now: number): number =>
  slot.retry !== undefined && !isBusy(slot) && waits(slot.retry, now)
    ? slot.retry.until
    : Number.POSITIVE_INFINITY

/** Whether this price, at this time (ms), can change the bot's mind. */
export const leaves = (window: Window, ticker: Ticker, now: number): boolean =>
  ticker.bid <= window.below ||
  ticker.ask >= window.above ||
  now >= window.at ||
  (window.trail !== undefined && turns(window.trail, priceOf(window.trail, ticker)))

/** The window with its trail moved to the price; the very same one where the price is not beyond the extreme. */
export const advance = (window: Window, ticker: Ticker): Window => {
  const { trail } = window
  if (trail === undefined) return window
  const price = priceOf(trail, ticker)
  const further = trail.follows === "highest" ? price > trail.extreme : price < trail.extreme
  return further ? { ...window, trail: { ...trail, extreme: price } } : window
}

/** The state with one slot's trail moved to the price, as `advance` moves the window: state, not a journal entry. */
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

/** Where a trail that follows the highest price turns; nowhere while its level is not up to its gate. */
export const turnBelow = (
  extreme: number,
  ratio: number,
  gate: number = Number.NEGATIVE_INFINITY
): number => {
  const level = extreme * ratio
  return level >= gate * (1 - TOLERANCE) ? level * (1 + TOLERANCE) : Number.NEGATIVE_INFINITY
}

/** Where a trail that follows the lowest price turns; nowhere while its level is not down to its gate. */
export const turnAbove = (
  extreme: number,
  ratio: number,
  gate: number = Number.POSITIVE_INFINITY
): number => {
  const level = extreme * ratio
  return level <= gate * (1 + TOLERANCE) ? level * (1 - TOLERANCE) : Number.POSITIVE_INFINITY
}

/** What a trail reads: a long's exit and a short's entry the bid, the others the ask. */
const priceOf = (trail: Trail, ticker: Ticker): number =>
  trail.follows === "highest" ? ticker.bid : ticker.ask

/** The trail's level is the trail's; the gate met from its far side is a level like any other. */
const isTrail = (trigger: Trigger, slot: Slot): boolean => {
  if (trigger.rule === "trailing_buy") return true
  if (trigger.rule !== "trailing_sell") return false
  return trigger.when === (slot.position?.side === "long" ? "below" : "above")
}
