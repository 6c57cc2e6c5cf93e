// The path of the price within one candle: open, one extreme, the other, close. The adverse extreme comes first for a
// position, the favourable one for an armed trailing buy; each level is met where the path reaches it. What an order
// fills at: trading/books/Matching.
import type { Slot } from "../../domain/Bot.ts"
import type { Candle } from "../../domain/Candle.ts"
import { atLeast, atMost, reached } from "../Prices.ts"
import type { Trigger } from "../rules/Trigger.ts"

/** Which extreme a slot walks to first; `none` if it holds nothing. */
export type CandlePath = "low_first" | "high_first" | "none"

/** The path of a slot: for a position the adverse extreme first, for an armed trailing buy the favourable one. */
export const pathOf = (slot: Slot | undefined): CandlePath => {
  if (slot?.position !== undefined) return slot.position.side === "long" ? "low_first" : "high_first"
  if (slot?.trailingBuy !== undefined) return slot.trailingBuy.side === "long" ? "high_first" : "low_first"
  return "none"
}

/** The price at the end of a leg. Leg 0 is the open. */
export const pointOf = (candle: Candle, path: CandlePath, leg: number): number => {
  if (leg === 3) return candle.close
  return (leg === 1) === (path === "low_first") ? candle.low : candle.high
}

/** The first level on the way from `price` to `goal`. */
export const nextLevel = (
  triggers: ReadonlyArray<Trigger>,
  price: number,
  goal: number
): number | undefined => {
  const when = goal > price ? "above" : "below"
  let nearest: number | undefined
  for (const trigger of triggers) {
    const { level } = trigger
    if (trigger.when !== when || !reached(goal, level, when) || reached(price, level, when)) continue
    if (nearest === undefined || (when === "above" ? level < nearest : level > nearest)) nearest = level
  }
  return nearest
}

/** Whether both an adverse and a favourable level of a position lie in the candle's range. */
export const isAmbiguous = (candle: Candle, triggers: ReadonlyArray<Trigger>): boolean => {
  const within = ({ level }: Trigger) => atLeast(level, candle.low) && atMost(level, candle.high)
  return (
    triggers.some((trigger) => ADVERSE.has(trigger.rule) && within(trigger)) &&
    triggers.some((trigger) => FAVOURABLE.has(trigger.rule) && within(trigger))
  )
}

const ADVERSE: ReadonlySet<Trigger["rule"]> = new Set([
  "stop_loss",
  "sl",
  "break_even",
  "liquidation",
  "trailing_sell"
] as const)
const FAVOURABLE: ReadonlySet<Trigger["rule"]> = new Set(["take_profit", "tp"] as const)
