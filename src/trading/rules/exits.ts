// Exit rules with fixed levels: liquidation, stop loss or sl, take profit or tp, auto close, and the profit gate of
// closing alerts. Stops and auto close are never gated by the minimum profit. A tp closes the whole position; ladders and
// steps, which close parts: rules/steps.
import type { MarketKind } from "../../domain/Market.ts"
import type { Position } from "../../domain/Position.ts"
import { isMaker } from "../books/Fees.ts"
import { type Figures, profitPrice } from "../books/Positions.ts"
import { adverse, against, atLeast, atMost, favourable, resting } from "../Prices.ts"
import { breakEvenLevel, isDue } from "./breakEven.ts"
import { minutesAfter, type Trigger, type View } from "./Trigger.ts"
import { isTargeted } from "./targeted.ts"

/** The liquidation of a swap whose loss, without fees, reaches its margin. At 1x a long has no liquidation price above zero. */
export const liquidation = (view: View, figures: Figures): Trigger | undefined => {
  const level = liquidationPrice(view.id.kind, figures)
  return level === undefined ? undefined : { rule: "liquidation", when: "above", level, reads: "closing" }
}

/** The price at which a swap's loss reaches its margin: twice the entry price for a short; undefined for others. */
export const liquidationPrice = (kind: MarketKind, figures: Figures): number | undefined =>
  kind === "swap" && figures.side === "short" ? (2 * figures.basis) / figures.quantity : undefined

/**
 * The stop: the alert's sl if held, else a percentage against the average entry price; the stop at break even in place of
 * one that is not nearer to the price.
 */
export const stop = (
  view: Pick<View, "context" | "fees">,
  position: Position,
  figures: Figures
): Trigger | undefined => {
  const found = ownStop(view, position, figures)
  if (position.breakEven !== true || !isDue(view.context.settings, position)) return found
  const level = breakEvenLevel(view, figures)
  const isNearer = found !== undefined && !isAsNear(position, level, found.level)
  if (isNearer || !(level > 0)) return found
  return { rule: "break_even", when: adverse(position.side), level, reads: "closing" }
}

const isAsNear = ({ side }: Position, level: number, than: number): boolean =>
  side === "long" ? atLeast(level, than) : atMost(level, than)

const ownStop = (view: Pick<View, "context">, position: Position, figures: Figures): Trigger | undefined => {
  const when = adverse(position.side)
  if (position.sl !== undefined) return { rule: "sl", when, level: position.sl, reads: "closing" }
  const { stopLoss } = view.context.settings
  if (stopLoss === undefined) return undefined
  return {
    rule: "stop_loss",
    when,
    level: against(position.side, figures.average, stopLoss.percent),
    reads: "closing"
  }
}

/** The alert's tp, as a limit order. */
export const target = (view: View, position: Position): Trigger | undefined =>
  position.tp === undefined
    ? undefined
    : {
        rule: "tp",
        when: favourable(position.side),
        level: restingAt(view, position.tp, position),
        reads: "closing"
      }

/**
 * The take profit as a limit order, if no target of an alert, trailing sell or steps replace it. It counts the fee that this order
 * will pay, so a sale at profit p really makes p.
 */
export const takeProfit = (view: View, position: Position, figures: Figures): Trigger | undefined => {
  const { minProfitPercent, takeProfitSteps, trailingSell } = view.context.settings
  if (minProfitPercent === undefined || trailingSell !== undefined || takeProfitSteps !== undefined)
    return undefined
  if (isTargeted(position)) return undefined
  const exact = profitPrice(figures, minProfitPercent, exitRate(view, "limit"))
  const level = restingAt(view, exact, position)
  if (!(level > 0)) return undefined
  return { rule: "take_profit", when: favourable(position.side), level, reads: "closing" }
}

/** The fee rate of an exit sent now. */
export const exitRate = ({ fees, state }: Pick<View, "fees" | "state">, type: "market" | "limit"): number =>
  isMaker(type, state.live !== undefined) ? fees.makerRate : fees.takerRate

/** Closes once the time since the first entry fill is over. */
export const autoClose = (view: View, position: Position): Trigger | undefined => {
  const at = autoCloseAt(view, position)
  return at !== undefined && view.context.now >= at
    ? { rule: "auto_close", when: "now", level: Number.NaN, reads: "closing" }
    : undefined
}

/** The time of the auto close (ms since the epoch); undefined if it is off. */
export const autoCloseAt = (view: Pick<View, "context">, position: Position): number | undefined => {
  const { autoClose: settings } = view.context.settings
  return settings === undefined ? undefined : minutesAfter(position.openedAt, settings.minutes)
}

/** The price at which a market exit makes the minimum profit; undefined without a gate. */
export const gate = (view: View, figures: Figures): number | undefined => {
  const { minProfitPercent } = view.context.settings
  return minProfitPercent === undefined
    ? undefined
    : profitPrice(figures, minProfitPercent, view.fees.takerRate)
}

/** The price at which an exit rests that wants this price, in steps of the market. */
export const restingAt = (view: View, price: number, position: Position): number => {
  const market = view.context.market(view.id)
  return market === undefined ? price : resting(price, market.priceStep, position.side)
}
