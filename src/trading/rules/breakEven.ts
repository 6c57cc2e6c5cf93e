// The stop at break even: once enough steps are done, and the price has been beyond the level at which closing the rest
// nets zero, that level is the position's stop. An entry fill takes it off until the price is beyond the new level.
import type { Position } from "../../domain/Position.ts"
import type { Settings } from "../../domain/Strategy.ts"
import { type Figures, profitPrice } from "../books/Positions.ts"
import { favourable, TOLERANCE } from "../Prices.ts"
import type { Trigger, View } from "./Trigger.ts"

/** The price at which closing what is left at market nets zero. */
export const breakEvenLevel = ({ fees }: Pick<View, "fees">, figures: Figures): number =>
  profitPrice(figures, 0, fees.takerRate)

/** Whether the settings want the stop at break even after the steps that are done. */
export const isDue = ({ breakEvenAfter }: Settings, { stepsFilled = 0 }: Position): boolean =>
  breakEvenAfter !== undefined && stepsFilled >= breakEvenAfter

/** The position whose stop at break even waits until the price is beyond it. */
export const unarmed = (position: Position): Position => {
  const { breakEven: _, ...rest } = position
  return rest
}

/**
 * Moves the stop to break even at the first price beyond the level. A price equal to the level is not beyond it, so the
 * trigger lies three times the tolerance of equal prices away.
 */
export const breakEvenArming = (view: View, position: Position, figures: Figures): Trigger | undefined => {
  if (position.breakEven === true || !isDue(view.context.settings, position)) return undefined
  const when = favourable(position.side)
  const slack = 3 * TOLERANCE
  const level = breakEvenLevel(view, figures) * (when === "above" ? 1 + slack : 1 - slack)
  return level > 0 ? { rule: "break_even_arm", when, level, reads: "closing" } : undefined
}
