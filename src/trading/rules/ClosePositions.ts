// Closes positions: one by its rule, or all of a strategy by a balance rule. After a balance rule closed everything,
// the baseline is the remaining cash and the rule's cooldown starts.
import type { BalanceRule, Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { ExitReason } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import { profitPercent } from "../books/Positions.ts"
import * as Drafts from "../bot/Draft.ts"
import type { Draft } from "../Decision.ts"
import { closingPrice } from "../Prices.ts"
import { cooldownMinutes } from "./balanceRules.ts"
import { exitRate, liquidation } from "./exits.ts"
import { viewOf } from "./Rules.ts"
import { firstHeld, isHeldUp, minutesAfter, priceFor, type Trigger, type View } from "./Trigger.ts"

/**
 * The price of a limit order. On paper a resting order fills at its level, or at the open if that lies beyond it; one
 * that the price has to go through fills at its limit, as the order book would have it. A live order carries its level
 * and the exchange gives the better price.
 *
 * @internal
 */
export const limitPrice = (view: View, trigger: Trigger): number => {
  if (view.state.live !== undefined) return trigger.level
  if (trigger.limit !== undefined) return trigger.limit
  const price = priceFor(view, "closing")
  return trigger.when === "above" ? Math.max(price, trigger.level) : Math.min(price, trigger.level)
}

/** An exit of a rule, which found its level reached; not a number where the rule has none. */
interface RuleExit extends Drafts.Exit {
  readonly type: "market" | "limit"
  readonly level: number
  /** An embedder's reason. */
  readonly text?: string
}

/**
 * Closes the slot's position and notes the reason.
 *
 * @internal
 */
export const close = (draft: Draft, view: View, key: string, exit: RuleExit): void => {
  const { exitReason, level, price, text, type } = exit
  const position = view.slot?.position
  if (position === undefined) return
  if (!Drafts.leave(draft, view.id, position, exit)) {
    // The exit is noted once the stop at the exchange has ended; by then its text is gone.
    if (text !== undefined && view.slot?.stop !== undefined)
      Drafts.note(draft, "own_exit", { market: key, side: position.side, price, text })
    return
  }
  const base = {
    market: key,
    side: position.side,
    reason: exitReason,
    price,
    ...(text === undefined ? {} : { text })
  }
  const { part } = exit
  const isPart = part !== undefined && Decimal.lessThan(part, position.quantity)
  Drafts.note(draft, isPart ? "reduced" : "closed", {
    ...(Number.isNaN(level) ? base : { ...base, level }),
    numbers: {
      ...closingNumbers(view, type, price),
      ...(isPart ? partNumbers(position, part) : {}),
      ...(exit.step === undefined
        ? measured(view, position, exitReason)
        : stepNumbers(view, position, exitReason, exit.step))
    }
  })
}

/** Which step it is, of how many, and its percentage of the base; a step of the strategy also has its profit. */
const stepNumbers = (
  { context }: View,
  { ladder }: Position,
  rule: ExitReason,
  step: number
): Readonly<Record<string, number>> => {
  const { takeProfitSteps = [] } = context.settings
  const own = rule === "tp" ? undefined : takeProfitSteps[step - 1]
  const percent = rule === "tp" ? ladder?.steps[step - 1]?.percent : own?.closePercent
  return {
    step,
    steps: rule === "tp" ? (ladder?.steps.length ?? step) : takeProfitSteps.length,
    ...(percent === undefined ? {} : { "step percent": percent }),
    ...(own === undefined ? {} : { "step profit percent": own.profitPercent })
  }
}

/**
 * The numbers of a part: its quantity, its percentage of what is held, and what it leaves.
 *
 * @internal
 */
export const partNumbers = (
  { quantity }: Position,
  part: Decimal.Decimal
): Readonly<Record<string, number>> => {
  const [held, closed] = [Decimal.approximate(quantity), Decimal.approximate(part)]
  return {
    quantity: closed,
    "part percent": (100 * closed) / held,
    left: Decimal.approximate(Decimal.subtract(quantity, part))
  }
}

/**
 * The numbers of a close: quantity, average price and profit percent. A liquidation has no figures, hence none.
 *
 * @internal
 */
export const closingNumbers = (
  view: View,
  type: "market" | "limit",
  price: number
): Readonly<Record<string, number>> => {
  const { figures } = view
  if (figures === undefined) return {}
  const { average, quantity } = figures
  const percent = profitPercent(figures, price, exitRate(view, type))
  return { quantity, average, "profit percent": percent }
}

/** The settings and extremes that the rule computed its level from. */
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

/**
 * Liquidates every position whose margin is lost, and returns whether there was one. It runs before a balance rule
 * closes the rest: a liquidated position returns nothing, so equity changes.
 *
 * @internal
 */
export const liquidateLost = (draft: Draft): boolean => {
  const before = draft.state
  for (const [key, slot] of ranked(draft)) {
    const ticker = draft.context.quote(slot)
    if (ticker === undefined || isHeldUp(slot, draft.context.now)) continue
    const view = viewOf(draft.context, draft.state, slot, ticker)
    const trigger = view.figures === undefined ? undefined : liquidation(view, view.figures)
    if (trigger === undefined || firstHeld(view, [trigger]) === undefined) continue
    const price = priceFor(view, "closing")
    close(draft, view, key, { exitReason: "liquidation", price, type: "market", level: trigger.level })
  }
  return draft.state !== before
}

/**
 * Cancels waiting entries and closes open positions, in the strategy's sequence.
 *
 * @internal
 */
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
    Drafts.leave(draft, slot, slot.position, { exitReason: rule, type: "market", price })
  }
  settle(draft)
}

/**
 * Once all positions are closed, sets the baseline of the balance rules to the cash and starts the rule's cooldown.
 *
 * @internal
 */
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

/**
 * All slots in the strategy's sequence: pairs as listed, spot before swap.
 *
 * @internal
 */
export const ranked = (draft: Draft): ReadonlyArray<readonly [string, Slot]> => {
  const { rank } = draft.context
  // Unlisted markets share one rank; sort them by key.
  return Object.entries(draft.state.slots).sort(
    ([one, left], [other, right]) => rank(left) - rank(right) || (one < other ? -1 : 1)
  )
}
