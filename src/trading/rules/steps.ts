// Steps: parts of a position that close one after the other, at the prices of an alert's ladder or at the profits of the
// strategy's own steps. Which step comes next is worked out anew each time, so a step left out as too small comes back if
// the position grows before a later one filled.
import * as Decimal from "../../domain/Decimal.ts"
import type { Market } from "../../domain/Market.ts"
import type { Order } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import { isWhole } from "../../domain/position/Ladder.ts"
import { type Figures, profitPrice } from "../books/Positions.ts"
import { favourable } from "../Prices.ts"
import * as Sizing from "../Sizing.ts"
import { exitRate, restingAt } from "./exits.ts"
import type { Step, Trigger, View } from "./Trigger.ts"
import { isTargeted } from "./targeted.ts"

/** The next step of the alert's ladder. */
export const ladderStep = (view: View, position: Position): Trigger | undefined => {
  const { ladder } = position
  if (ladder === undefined) return undefined
  const steps = ladder.steps.map(({ percent, price }) => ({
    percent,
    level: restingAt(view, price, position)
  }))
  return triggerOf("tp", view, position, { steps, base: ladder.base, done: ladder.done })
}

/** The next of the strategy's own steps, at the profit that its order really makes. */
export const profitStep = (view: View, position: Position, figures: Figures): Trigger | undefined => {
  const { takeProfitSteps } = view.context.settings
  const done = position.stepsDone ?? 0
  if (takeProfitSteps === undefined || isTargeted(position) || done >= takeProfitSteps.length)
    return undefined
  const rate = exitRate(view, "limit")
  const steps = takeProfitSteps.map(({ closePercent, profitPercent }) => ({
    percent: closePercent,
    level: restingAt(view, profitPrice(figures, profitPercent, rate), position)
  }))
  return triggerOf("take_profit", view, position, { steps, base: position.entryQuantity, done })
}

/** Steps with their levels; `done` counts those that are done, from the first. */
interface Steps {
  readonly steps: ReadonlyArray<{ readonly percent: number; readonly level: number }>
  readonly base: Decimal.Decimal
  readonly done: number
}

const triggerOf = (
  rule: "tp" | "take_profit",
  view: View,
  position: Position,
  { base, done, steps }: Steps
): Trigger | undefined => {
  const market = view.context.market(view.id)
  const isComplete = isWhole(steps.map(({ percent }) => percent))
  let percent = Decimal.zero
  for (const [index, { level, percent: own }] of steps.entries()) {
    if (index < done) continue
    // No later step has a price either.
    if (!(level > 0)) return undefined
    percent = Decimal.add(percent, Decimal.fromNumber(own))
    const isLast = isComplete && index === steps.length - 1
    const quantity = isLast
      ? position.quantity
      : closedBy(position.quantity, base, percent, { market, level })
    if (quantity === undefined) continue
    const closesAll = Decimal.equals(quantity, position.quantity)
    const step: Step = { number: index + 1, count: steps.length, quantity, closesAll }
    return { rule, when: favourable(position.side), level, reads: "closing", step }
  }
  return undefined
}

/** What a step closes of what is left: all where the rest would be too small; undefined where it is too small itself. */
const closedBy = (
  left: Decimal.Decimal,
  base: Decimal.Decimal,
  percent: Decimal.Decimal,
  { level, market }: { readonly market: Market | undefined; readonly level: number }
): Decimal.Decimal | undefined => {
  const share = Decimal.percentOf(base, percent)
  if (market === undefined) return Decimal.min(share, left)
  const quantity = Decimal.min(Decimal.floorToStep(share, market.amountStep), left)
  if (!Sizing.isTradable(quantity, level, market)) return undefined
  return Sizing.isTradable(Decimal.subtract(left, quantity), level, market) ? quantity : left
}

/**
 * The position after an exit fill of an order: the order's step is done with its first fill, and the steps left out
 * before it with it. A step that closes all is done when nothing is left; until then it is due for the rest. A ladder
 * whose steps are all done is held no longer.
 */
export const stepped = (position: Position, { exitReason, part, step }: Order): Position => {
  if (step === undefined || part !== true) return position
  const { ladder, stepsFilled = 0, ...rest } = position
  const before = exitReason === "tp" ? ladder?.done : (position.stepsDone ?? 0)
  if (before === undefined || step <= before) return position
  const filled = { ...rest, stepsFilled: stepsFilled + step - before }
  if (exitReason !== "tp") return { ...filled, ...(ladder === undefined ? {} : { ladder }), stepsDone: step }
  return ladder === undefined || step >= ladder.steps.length
    ? filled
    : { ...filled, ladder: { ...ladder, done: step } }
}
