// Arms the exits that wait for a profit first: the trailing sell, and the stop at break even. Neither places an order.
import * as Drafts from "../bot/Draft.ts"
import type { Draft } from "../Decision.ts"
import { breakEvenLevel } from "./breakEven.ts"
import { closingNumbers } from "./ClosePositions.ts"
import { priceFor, type Trigger, type View } from "./Trigger.ts"

/**
 * The price has been beyond break even: the stop is there from now on.
 *
 * @internal
 */
export const armBreakEven = (draft: Draft, view: View, key: string): void => {
  const { figures, slot } = view
  if (slot?.position === undefined || figures === undefined) return
  const { side } = slot.position
  Drafts.putSlot(draft, key, { ...slot, position: { ...slot.position, breakEven: true } })
  const level = breakEvenLevel(view, figures)
  Drafts.note(draft, "break_even_armed", { market: key, side, price: priceFor(view, "closing"), level })
}

/**
 * The profit reached the arm: the trailing sell follows the price from here.
 *
 * @internal
 */
export const arm = (draft: Draft, view: View, key: string, trigger: Trigger): void => {
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
