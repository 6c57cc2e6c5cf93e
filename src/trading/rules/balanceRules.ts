// The balance stop loss and take profit: they fire when equity after exit taker fees reaches baseline x (1 - t/100) or
// baseline x (1 + t/100). As equity is linear in one feed's price, each becomes a price level of its slot.
import type { BalanceRule, BotState, Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { figuresOf } from "../books/Positions.ts"
import type { Context } from "../Decision.ts"
import { atLeast, atMost, closingPrice, shifted } from "../Prices.ts"
import type { Trigger } from "./Trigger.ts"

/**
 * Equity after exit taker fees as a line over one feed's price: `fixed + slope x price`. `feeds` counts the feeds that
 * open positions depend on. A position under liquidation is worth nothing.
 */
export interface Stance {
  readonly fixed: number
  readonly slope: number
  readonly feeds: number
}

/** The line for one feed; undefined if an open position elsewhere has no price, since equity is then unknown. */
export const stance = (context: Context, state: BotState, feed: string): Stance | undefined => {
  let fixed = Decimal.approximate(state.cash)
  let slope = 0
  let feeds = 0
  let seen: string | undefined
  for (const key in state.slots) {
    const slot = state.slots[key]
    if (slot?.position === undefined || isLiquidating(slot)) continue
    const { basis, quantity, side } = figuresOf(slot.position)
    const rate = context.fees(slot).takerRate
    const share = side === "long" ? quantity * (1 - rate) : -quantity * (1 + rate)
    const own = context.feed(slot)
    // Slots of one feed are mostly adjacent; counting a feed twice only narrows the windows.
    if (own !== seen) feeds++
    seen = own
    if (side === "short") fixed += 2 * basis
    if (own === feed) {
      slope += share
      continue
    }
    const ticker = context.quote(slot)
    if (ticker === undefined) return undefined
    fixed += share * closingPrice(side, ticker)
  }
  return { fixed, slope, feeds }
}

/** A liquidation returns nothing, which is known before its order has ended. */
const isLiquidating = ({ order, retry }: Slot): boolean =>
  order?.exitReason === "liquidation" || retry?.wish === "liquidation"

/** The equity at which each balance rule fires; undefined if it is off or cooling down. */
export interface Thresholds {
  readonly stopLoss: number | undefined
  readonly takeProfit: number | undefined
}

const OFF: Thresholds = { stopLoss: undefined, takeProfit: undefined }

/**
 * The equities at which the two rules fire now. A baseline of zero or less switches both off. So does a bot without
 * positions whose equity is the baseline: a trigger smaller than the tolerance would fire on the baseline it just set.
 */
export const thresholds = (context: Context, state: BotState): Thresholds => {
  const { balanceStopLoss, balanceTakeProfit } = context.settings
  if (balanceStopLoss === undefined && balanceTakeProfit === undefined) return OFF
  const baseline = Decimal.approximate(state.baseline)
  if (!(baseline > 0) || state.closing !== undefined || isAtBaseline(state)) return OFF
  const stops = balanceStopLoss !== undefined && context.now >= (state.stopLossUntil ?? 0)
  const takes = balanceTakeProfit !== undefined && context.now >= (state.takeProfitUntil ?? 0)
  return {
    stopLoss: stops ? shifted(baseline, -balanceStopLoss.triggerPercent) : undefined,
    takeProfit: takes ? shifted(baseline, balanceTakeProfit.triggerPercent) : undefined
  }
}

const isAtBaseline = ({ baseline, cash, slots }: BotState): boolean => {
  // Looks at the slots first: that is cheaper than to compare decimals, and an open position ends it.
  for (const key in slots) if (slots[key]?.position !== undefined) return false
  return Decimal.equals(cash, baseline)
}

/** The price of this slot's feed at which a balance rule fires if no other price moves. */
export const balance = (rule: BalanceRule, equity: number, line: Stance): Trigger | undefined => {
  const stops = rule === "balance_stop_loss"
  if (line.slope === 0) {
    const met = stops ? atMost(line.fixed, equity) : atLeast(line.fixed, equity)
    return met ? { rule, when: "now", level: Number.NaN, reads: "closing" } : undefined
  }
  const level = (equity - line.fixed) / line.slope
  return { rule, when: line.slope > 0 === stops ? "below" : "above", level, reads: "closing" }
}

/**
 * As `balance`, but with positions on several feeds each feed gets only its share of the distance, so no rule fires
 * before some feed leaves its window.
 */
export const watched = (trigger: Trigger, line: Stance, price: number): Trigger =>
  line.feeds < 2 || trigger.when === "now"
    ? trigger
    : { ...trigger, level: price + (trigger.level - price) / line.feeds }

/** The minutes without entries after this rule fired; 0 if the rule is off. */
export const cooldownMinutes = (context: Context, rule: BalanceRule): number =>
  (rule === "balance_stop_loss" ? context.settings.balanceStopLoss : context.settings.balanceTakeProfit)
    ?.cooldownMinutes ?? 0
