import type { BalanceRule, Slot } from "../domain/Bot.ts"
import * as Decimal from "../domain/Decimal.ts"
import type { MarketId } from "../domain/Market.ts"
import type { ExitReason } from "../domain/Order.ts"
import { costOf, type Position } from "../domain/Position.ts"
import type { Ticker } from "../domain/Ticker.ts"
import { cooldownMinutes, thresholds } from "./balance.ts"
import type { Draft } from "./Decision.ts"
import * as Drafts from "./Draft.ts"
import * as Entry from "./entry.ts"
import { liquidationPrice } from "./exits.ts"
import { keyOf } from "./Keys.ts"
import { figuresOf, profitPercent } from "./Positions.ts"
import { atLeast, atMost, closingPrice, tidy } from "./Prices.ts"
import { freeCash } from "./Risk.ts"
import { triggers, viewOf } from "./Rules.ts"
import { firstHeld, isBusy, isHeldUp, minutesAfter, priceFor, type Trigger, type View } from "./Trigger.ts"
import { moved } from "./trailing.ts"

/**
 * Looks at one slot at its present price until nothing more holds: trails move first, then the first rule that
 * holds acts, and so on. An order in flight ends it: the order's result is the next event. So does a rule that holds
 * again right after it has acted, sooner or later (`Drafts.isOverrun`).
 */
export const look = (draft: Draft, id: MarketId, rules: "exits" | "all"): void => {
  const ticker = draft.context.quote(id)
  if (ticker === undefined) return
  const key = keyOf(id)
  follow(draft, key, ticker)
  for (let isAgain = false; ; isAgain = true) {
    if (wind(draft, id, key, ticker)) return
    const { state } = draft
    const view = viewOf(draft.context, state, id, ticker)
    if (pursue(draft, view, key)) return
    const trigger = firstHeld(view, triggers(view, rules))
    if (trigger === undefined) return
    if (isAgain) draft.repeats++
    if (Drafts.isOverrun(draft)) return
    fire(draft, view, key, trigger)
    const slot = draft.state.slots[key]
    // What the risk gate refused would be decided again and again.
    if (draft.state === state || (slot !== undefined && isBusy(slot))) return
  }
}

/** An exit that was decided before and could not be made then. */
const pursue = (draft: Draft, view: View, key: string): boolean => {
  const { context, slot } = view
  const wish = slot?.retry?.wish
  if (wish === undefined || slot?.position === undefined || isHeldUp(slot, context.now)) return false
  close(draft, view, key, wish, priceFor(view, "closing"), "market", Number.NaN)
  return true
}

/** The balance rules with nothing open, for events that concern no market: equity is cash then. */
export const lookAtCash = (draft: Draft): void => {
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

/** While a balance rule closes everything, a position that is left is closed and nothing else is decided. */
const wind = (draft: Draft, id: MarketId, key: string, ticker: Ticker): boolean => {
  const { closing, slots } = draft.state
  if (closing === undefined) return false
  const slot = slots[key]
  if (slot?.position !== undefined && !isHeldUp(slot, draft.context.now)) {
    Drafts.leave(draft, id, slot.position, closing, "market", closingPrice(slot.position.side, ticker))
  }
  return true
}

const fire = (draft: Draft, view: View, key: string, trigger: Trigger): void => {
  switch (trigger.rule) {
    case "balance_stop_loss":
    case "balance_take_profit":
      return closeAll(draft, trigger.rule)
    case "trailing_arm":
      return arm(draft, view, key, trigger)
    case "dca":
      return average(draft, view, key, trigger)
    case "trailing_buy":
      return enterAfterTurn(draft, view, key, trigger)
    case "tp":
    case "take_profit":
      return close(draft, view, key, trigger.rule, limitPrice(view, trigger), "limit", trigger.level)
    default:
      return close(draft, view, key, trigger.rule, priceFor(view, "closing"), "market", trigger.level)
  }
}

/** A resting limit fills at its level, or at the open that lies beyond it. An exchange sees to the better price itself. */
const limitPrice = (view: View, trigger: Trigger): number => {
  if (view.state.live !== undefined) return trigger.level
  const price = priceFor(view, "closing")
  return trigger.when === "above" ? Math.max(price, trigger.level) : Math.min(price, trigger.level)
}

const close = (
  draft: Draft,
  view: View,
  key: string,
  rule: ExitReason,
  price: number,
  type: "market" | "limit",
  level: number
): void => {
  const position = view.slot?.position
  if (position === undefined || !Drafts.leave(draft, view.id, position, rule, type, price)) return
  const base = { market: key, side: position.side, reason: rule, price }
  Drafts.note(draft, "closed", {
    ...(Number.isNaN(level) ? base : { ...base, level }),
    numbers: { ...closingNumbers(view, type, price), ...measured(view, position, rule) }
  })
}

/** What a close sells, and what it makes of it. A liquidation makes nothing that a percentage could say. */
export const closingNumbers = (
  view: View,
  type: "market" | "limit",
  price: number
): Readonly<Record<string, number>> => {
  const { fees, figures } = view
  if (figures === undefined) return {}
  const { average, quantity } = figures
  const percent = profitPercent(figures, price, type === "limit" ? fees.makerRate : fees.takerRate)
  return { quantity, average, "profit percent": percent }
}

/** What a rule measured with, beside the level that it made of it. */
const measured = (view: View, { peak }: Position, rule: ExitReason): Readonly<Record<string, number>> => {
  const { autoClose, minProfitPercent, stopLoss, trailingSell } = view.context.settings
  switch (rule) {
    case "trailing_sell":
      return trailingSell === undefined || peak === undefined
        ? {}
        : { peak, "trail percent": trailingSell.percent, "arm percent": trailingSell.armPercent }
    case "stop_loss":
      return stopLoss === undefined ? {} : { "stop percent": stopLoss.percent }
    case "take_profit":
      return minProfitPercent === undefined ? {} : { "min profit percent": minProfitPercent }
    case "auto_close":
      return autoClose === undefined ? {} : { minutes: autoClose.minutes }
    default:
      return {}
  }
}

const arm = (draft: Draft, view: View, key: string, trigger: Trigger): void => {
  const { slot } = view
  if (slot?.position === undefined) return
  const peak = priceFor(view, "closing")
  Drafts.putSlot(draft, key, { ...slot, position: { ...slot.position, peak } })
  const { trailingSell } = view.context.settings
  const trail = trailingSell === undefined ? {} : { "trail percent": trailingSell.percent }
  Drafts.note(draft, "trailing_sell_armed", {
    market: key,
    side: slot.position.side,
    price: peak,
    level: trigger.level,
    numbers: { ...closingNumbers(view, "market", peak), ...trail }
  })
}

const average = (draft: Draft, view: View, key: string, trigger: Trigger): void => {
  const { context, state } = draft
  const { id, slot } = view
  if (slot?.position === undefined) return
  const { position } = slot
  const price = tidy(priceFor(view, "opening"))
  const check = Entry.checkDca(context, state, id, costOf(position), price)
  if (check._tag === "Fits") {
    const { openedBy, side } = position
    if (Drafts.enter(draft, id, side, "dca", check.quantity, price, openedBy, {})) {
      const { dca } = context.settings
      const numbers = {
        average: view.figures?.average ?? 0,
        "entry number": position.entries,
        quantity: Decimal.approximate(check.quantity),
        ...(dca === undefined
          ? {}
          : { "trigger percent": dca.triggerPercent, "most entries": dca.maxRetries })
      }
      return Drafts.note(draft, "averaged", { market: key, side, price, level: trigger.level, numbers })
    }
  }
  const dcaSkippedAt = freeCash(state)
  Drafts.putSlot(draft, key, { ...slot, position: { ...position, dcaSkippedAt } })
  Drafts.note(draft, "dca_skipped", {
    market: key,
    price,
    level: trigger.level,
    ...(check._tag === "Refused" && check.reason === "over_max_order" ? { reason: check.reason } : {}),
    numbers: { "free cash": Decimal.approximate(dcaSkippedAt) }
  })
}

/** The turn has come: all that was checked when the alert came is checked again. */
const enterAfterTurn = (draft: Draft, view: View, key: string, trigger: Trigger): void => {
  const { slot } = view
  if (slot?.trailingBuy === undefined) return
  const { trailingBuy: armed, ...rest } = slot
  const price = tidy(priceFor(view, "opening"))
  const check = Entry.check(draft.context, draft.state, view.id, armed.side, armed, price)
  Drafts.putSlot(draft, key, rest)
  const numbers = { extreme: armed.extreme }
  const what = { market: key, side: armed.side, price, level: trigger.level, numbers }
  if (check._tag === "Refused") {
    return Drafts.note(draft, "entry_dropped", { ...what, reason: check.reason })
  }
  if (Drafts.enter(draft, view.id, armed.side, "entry", check.quantity, price, armed.alert, armed)) {
    const quantity = Decimal.approximate(check.quantity)
    Drafts.note(draft, "trailing_buy_fired", { ...what, numbers: { ...numbers, quantity } })
  }
}

/** Cancels what waits, closes what is open, in the order in which the pairs were given, spot before swap. */
export const closeAll = (draft: Draft, rule: BalanceRule): void => {
  Drafts.change(draft, { _tag: "Closing", rule })
  const { balanceStopLoss, balanceTakeProfit } = draft.context.settings
  const settings = rule === "balance_stop_loss" ? balanceStopLoss : balanceTakeProfit
  Drafts.note(draft, rule, {
    numbers: {
      baseline: Decimal.approximate(draft.state.baseline),
      ...(settings === undefined ? {} : { "trigger percent": settings.triggerPercent })
    }
  })
  for (const [key, slot] of ranked(draft)) {
    Drafts.cancelEntry(draft, key, slot, rule)
    const ticker = draft.context.quote(slot)
    if (slot.position === undefined || ticker === undefined || isHeldUp(slot, draft.context.now)) continue
    const price = closingPrice(slot.position.side, ticker)
    Drafts.leave(draft, slot, slot.position, isLost(slot, price) ? "liquidation" : rule, "market", price)
  }
  settle(draft)
}

/** Liquidation comes before every other rule: nothing comes back of a position whose margin is gone. */
const isLost = (slot: Slot, price: number): boolean => {
  if (slot.position === undefined) return false
  const level = liquidationPrice(slot.kind, figuresOf(slot.position))
  return level !== undefined && atLeast(price, level)
}

/** Once all is flat, the balance rules count from the equity there is, and the cooldown of the rule begins. */
export const settle = (draft: Draft): void => {
  const { cash, closing, slots } = draft.state
  if (closing === undefined) return
  for (const key in slots) {
    if (slots[key]?.position !== undefined || slots[key]?.order !== undefined) return
  }
  const until = minutesAfter(draft.context.now, cooldownMinutes(draft.context, closing))
  Drafts.change(draft, { _tag: "Rebased", baseline: cash, rule: closing, until })
  Drafts.note(draft, "rebased", { reason: closing, numbers: { baseline: Decimal.approximate(cash) } })
}

/** Forgets the armed trailing sell, if there is one. */
export const disarm = (position: Position): Position => {
  const { peak: _, ...rest } = position
  return rest
}

/** All slots in the order in which the pairs were given, spot before swap. */
export const ranked = (draft: Draft): ReadonlyArray<readonly [string, Slot]> => {
  const { rank } = draft.context
  return Object.entries(draft.state.slots).sort(([, left], [, right]) => rank(left) - rank(right))
}
