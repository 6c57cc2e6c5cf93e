// Applies the rules to slots at their present prices until none holds: each rule over all slots before the next rule. A
// slot with an order in flight is skipped, because the order's result is the next event.
import * as Decimal from "../../domain/Decimal.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { Position } from "../../domain/Position.ts"
import type { Ticker } from "../../domain/Ticker.ts"
import * as Drafts from "../bot/Draft.ts"
import { keyOf } from "../bot/Keys.ts"
import * as Turns from "../bot/Turns.ts"
import type { Draft, Moment } from "../Decision.ts"
import { atLeast, atMost, closingPrice, tidy } from "../Prices.ts"
import { freeCash } from "../Risk.ts"
import { arm, armBreakEven } from "./ArmExits.ts"
import { thresholds } from "./balanceRules.ts"
import { close, closeAll, limitPrice, liquidateLost } from "./ClosePositions.ts"
import { checkDca, retriesOf } from "./dca.ts"
import * as Entry from "./entry.ts"
import * as Parts from "./Parts.ts"
import { triggers, viewOf } from "./Rules.ts"
import {
  firstHeld,
  isBusy,
  isHeldUp,
  orderOf,
  priceFor,
  type Step,
  type Trigger,
  type View
} from "./Trigger.ts"
import { moved } from "./trailing.ts"

/**
 * Applies the rules at the present prices until none holds. Trails move first; then, again and again, the first rule
 * that holds in any slot acts. Within a candle it stops after an order, because the walk fills each order first. A rule
 * that holds again right after it acted ends in an overrun (`Drafts.isOverrun`).
 */
export const applyRules = (draft: Draft, markets: ReadonlyArray<MarketId>, rules: "exits" | "all"): void => {
  const before = draft.orders.length
  const held: Array<Held> = []
  let fired = 0
  for (const [place, id] of markets.entries()) {
    const key = keyOf(id)
    if (draft.state.slots[key]?.turn !== undefined) Turns.follow(draft, key)
    const ticker = draft.context.quote(id)
    if (ticker === undefined) continue
    // Without a position only the balance rules apply, and they are already applied for the first market.
    if (place > 0 && draft.state.slots[key] === undefined) continue
    follow(draft, key, ticker)
    if (draft.state.closing === undefined && !retryExit(draft, id, key, ticker))
      hold(held, draft, { id, key, place, ticker, rules })
  }
  if (draft.state.closing !== undefined) return closeRemaining(draft, markets)
  for (let next = takeFirst(held); next !== undefined; next = takeFirst(held)) {
    const { state } = draft
    // Another rule may have changed what holds here since.
    if (next.view.state !== state) {
      hold(held, draft, next.check)
      continue
    }
    if (fired++ >= markets.length) draft.repeats++
    if (Drafts.isOverrun(draft)) return
    fire(draft, next)
    if (draft.state.closing !== undefined) return closeRemaining(draft, markets)
    if (draft.context.moment !== undefined && draft.orders.length > before) return
    const slot = draft.state.slots[next.check.key]
    // An order refused by the risk gate changes nothing; it must not be decided again and again.
    if (draft.state === state || (slot !== undefined && isBusy(slot))) continue
    hold(held, draft, next.check)
  }
}

/** The markets of an event: at the open of a candle all that it prices, else the one market. */
export const about = ({ context: { moment } }: Draft, id: MarketId): Moment => {
  if (moment === undefined) return { markets: [id], rules: "all" }
  const key = keyOf(id)
  return moment.markets.some((other) => keyOf(other) === key) ? moment : { markets: [id], rules: "all" }
}

/** A slot to check, at its price; `place` is its index among all of them. */
interface SlotCheck {
  readonly id: MarketId
  readonly key: string
  readonly place: number
  readonly ticker: Ticker
  readonly rules: "exits" | "all"
}

/** The first of a slot's rules that holds. */
interface Held {
  readonly check: SlotCheck
  readonly view: View
  readonly trigger: Trigger
}

/** Adds the first rule that holds in a slot, if any. */
const hold = (held: Array<Held>, { context, state }: Draft, check: SlotCheck): void => {
  const view = viewOf(context, state, check.id, check.ticker)
  const trigger = firstHeld(view, triggers(view, check.rules))
  if (trigger !== undefined) held.push({ check, view, trigger })
}

/** Removes and returns the rule that comes first; among equal rules that of the first slot. */
const takeFirst = (held: Array<Held>): Held | undefined => {
  let first: Held | undefined
  for (const one of held) if (first === undefined || precedes(one, first)) first = one
  if (first !== undefined) held.splice(held.indexOf(first), 1)
  return first
}

const precedes = (one: Held, other: Held): boolean => {
  const order = orderOf(one.trigger.rule) - orderOf(other.trigger.rule)
  return order < 0 || (order === 0 && one.check.place < other.check.place)
}

/** Retries an exit that was decided earlier but could not be sent. */
const retryExit = (draft: Draft, id: MarketId, key: string, ticker: Ticker): boolean => {
  const { context, state } = draft
  const slot = state.slots[key]
  const exitReason = slot?.retry?.wish
  if (exitReason === undefined || slot?.position === undefined || isHeldUp(slot, context.now)) return false
  const { part, step } = slot.retry ?? {}
  const view = viewOf(context, state, id, ticker)
  const price = priceFor(view, "closing")
  const exit = { exitReason, price, type: "market", level: Number.NaN } as const
  const plan =
    part === undefined ? undefined : Parts.plan(slot.position, part, tidy(price), context.market(id))
  if (part === undefined || plan?._tag === "Whole") close(draft, view, key, exit)
  else if (plan?._tag === "Part") close(draft, view, key, { ...exit, part: plan.quantity, step })
  else {
    const { retry: _, ...rest } = slot
    // What a person wanted to sell is not sold later with another part.
    if (exitReason === "manual") {
      Drafts.putSlot(draft, key, rest)
      Drafts.note(draft, "manual_dropped", { market: key, side: slot.position.side, price })
    } else Drafts.putSlot(draft, key, { ...rest, position: Parts.owing(slot.position, part) })
    return false
  }
  return true
}

/** The balance rules of a bot without positions, whose equity is its cash. */
export const applyCashRules = (draft: Draft): void => {
  const { context, state } = draft
  for (const key in state.slots) if (state.slots[key]?.position !== undefined) return
  const { stopLoss, takeProfit } = thresholds(context, state)
  const cash = Decimal.approximate(state.cash)
  if (stopLoss !== undefined && atMost(cash, stopLoss)) closeAll(draft, "balance_stop_loss")
  else if (takeProfit !== undefined && atLeast(cash, takeProfit)) closeAll(draft, "balance_take_profit")
}

const follow = (draft: Draft, key: string, ticker: Ticker): void => {
  const slot = draft.state.slots[key]
  if (slot === undefined || isHeldUp(slot, draft.context.now)) return
  const next = moved(slot, ticker)
  if (next !== slot) Drafts.putSlot(draft, key, next)
}

/** While a balance rule closes everything, remaining positions are closed and nothing else is decided. */
const closeRemaining = (draft: Draft, markets: ReadonlyArray<MarketId>): void => {
  const { closing } = draft.state
  if (closing === undefined) return
  liquidateLost(draft)
  for (const id of markets) {
    const ticker = draft.context.quote(id)
    const slot = draft.state.slots[keyOf(id)]
    if (ticker === undefined || slot?.position === undefined || isHeldUp(slot, draft.context.now)) continue
    const price = closingPrice(slot.position.side, ticker)
    Drafts.leave(draft, id, slot.position, { exitReason: closing, type: "market", price })
  }
}

const fire = (draft: Draft, { check: { key }, trigger, view }: Held): void => {
  switch (trigger.rule) {
    case "balance_stop_loss":
    case "balance_take_profit":
      // After a liquidation the rule is checked again on the remaining equity.
      return liquidateLost(draft) ? undefined : closeAll(draft, trigger.rule)
    case "trailing_arm":
      return arm(draft, view, key, trigger)
    case "dca":
      return average(draft, view, key, trigger)
    case "trailing_buy":
      return enterAfterTurn(draft, view, key, trigger)
    case "own_exit_failed":
      return rest(draft, view, key)
    case "break_even_arm":
      return armBreakEven(draft, view, key)
    case "tp":
    case "take_profit":
      return close(draft, view, key, {
        ...{ exitReason: trigger.rule, level: trigger.limit ?? trigger.level },
        ...{ type: "limit", price: limitPrice(view, trigger) },
        ...(trigger.step === undefined ? {} : partOf(trigger.step))
      })
    default:
      return close(draft, view, key, {
        ...{ exitReason: trigger.rule, level: trigger.level },
        ...{ type: "market", price: priceFor(view, "closing") },
        ...(trigger.text === undefined ? {} : { text: trigger.text })
      })
  }
}

/** An embedder's own exit that failed rests for a while. The first failure of a position is noted. */
const rest = (draft: Draft, { context, slot }: View, key: string): void => {
  if (slot?.position === undefined) return
  const { ownFailedAt, side } = slot.position
  Drafts.putSlot(draft, key, { ...slot, position: { ...slot.position, ownFailedAt: context.now } })
  if (ownFailedAt === undefined) Drafts.note(draft, "own_exit_failed", { market: key, side })
}

/** The part that a step closes; without one all that is held. */
const partOf = ({ closesAll, number, quantity }: Step) =>
  closesAll ? { step: number } : { step: number, part: quantity }

const average = (draft: Draft, view: View, key: string, trigger: Trigger): void => {
  const { context, state } = draft
  const { id, slot } = view
  if (slot?.position === undefined) return
  const { position } = slot
  const price = tidy(priceFor(view, "opening"))
  const check = checkDca(context, state, id, { position, price })
  if (check._tag === "Fits") {
    const { openedBy: alert, side } = position
    const { quantity } = check
    if (Drafts.enter(draft, id, { side, purpose: "dca", quantity, price, alert, targets: {} })) {
      const { dca } = context.settings
      const numbers = {
        average: view.figures?.average ?? 0,
        "entry number": retriesOf(position) + 1,
        quantity: Decimal.approximate(quantity),
        ...(dca === undefined
          ? {}
          : { "trigger percent": dca.triggerPercent, "most entries": dca.maxRetries })
      }
      return Drafts.note(draft, "averaged", { market: key, side, price, level: trigger.level, numbers })
    }
  }
  const dcaSkippedAt = freeCash(state)
  Drafts.putSlot(draft, key, { ...slot, position: { ...position, dcaSkippedAt } })
  if (check._tag === "Refused" && check.text !== undefined)
    return Drafts.noteVeto(draft, key, { side: position.side, price, reason: "dca", text: check.text })
  Drafts.note(draft, "dca_skipped", {
    market: key,
    price,
    level: trigger.level,
    ...(check._tag === "Refused" && check.reason === "over_max_order" ? { reason: check.reason } : {}),
    numbers: { "free cash": Decimal.approximate(dcaSkippedAt) }
  })
}

/** The price turned: all checks of the alert's entry are made again. */
const enterAfterTurn = (draft: Draft, view: View, key: string, trigger: Trigger): void => {
  const { slot } = view
  if (slot?.trailingBuy === undefined) return
  const { trailingBuy: armed, ...rest } = slot
  const price = tidy(priceFor(view, "opening"))
  const { alert, buyPercentage, side } = armed
  const entry = { side, targets: armed, price, alert, buyPercentage }
  const check = Entry.check(draft.context, draft.state, view.id, entry)
  Drafts.putSlot(draft, key, rest)
  const numbers = { extreme: armed.extreme }
  const what = { market: key, side, price, level: trigger.level, numbers }
  if (check._tag === "Refused") {
    Drafts.note(draft, "entry_dropped", { ...what, reason: check.reason })
    if (check.text !== undefined) Drafts.noteVeto(draft, key, { side, price, alert, text: check.text })
    return
  }
  const { quantity, targets = armed } = check
  if (Drafts.enter(draft, view.id, { side, purpose: "entry", quantity, price, alert, targets })) {
    const bought = { ...numbers, quantity: Decimal.approximate(quantity) }
    Drafts.note(draft, "trailing_buy_fired", { ...what, numbers: bought })
  }
}

/** Disarms the trailing sell, if it is armed. */
export const disarm = (position: Position): Position => {
  const { peak: _, ...rest } = position
  return rest
}
