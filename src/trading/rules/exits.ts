import type { MarketKind } from "../../domain/Market.ts"
import type { Position } from "../../domain/Position.ts"
import { isMaker } from "../books/Fees.ts"
import { type Figures, profitPrice } from "../books/Positions.ts"
import { adverse, against, favourable, resting } from "../Prices.ts"
import { minutesAfter, type Trigger, type View } from "./Trigger.ts"

/** A swap whose loss, fees aside, reaches its margin. A long never gets there above a price of zero. */
export const liquidation = (view: View, figures: Figures): Trigger | undefined => {
  const level = liquidationPrice(view.id.kind, figures)
  return level === undefined ? undefined : { rule: "liquidation", when: "above", level, reads: "closing" }
}

/** The price at which the loss of a swap reaches its margin: twice the entry price of a short; never for the others. */
export const liquidationPrice = (kind: MarketKind, figures: Figures): number | undefined =>
  kind === "swap" && figures.side === "short" ? (2 * figures.basis) / figures.quantity : undefined

/** The alert's stop price, else the stop loss: a distance from the average entry price. Never gated. */
export const stop = (
  view: Pick<View, "context">,
  position: Position,
  figures: Figures
): Trigger | undefined => {
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

/** The alert's target price, as a limit order. */
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
 * The minimum profit as a limit order, where neither a target nor a trailing sell takes its place: with the fee that this
 * order will pay, so that what is sold as a profit is one.
 */
export const takeProfit = (view: View, position: Position, figures: Figures): Trigger | undefined => {
  const { minProfitPercent, trailingSell } = view.context.settings
  if (minProfitPercent === undefined || trailingSell !== undefined || position.tp !== undefined)
    return undefined
  const exact = profitPrice(figures, minProfitPercent, exitRate(view, "limit"))
  const level = restingAt(view, exact, position)
  if (!(level > 0)) return undefined
  return { rule: "take_profit", when: favourable(position.side), level, reads: "closing" }
}

/** The fee rate of an exit that is sent now. */
export const exitRate = ({ fees, state }: Pick<View, "fees" | "state">, type: "market" | "limit"): number =>
  isMaker(type, state.live !== undefined) ? fees.makerRate : fees.takerRate

/** The time since the first entry fill is up. Never gated. */
export const autoClose = (view: View, position: Position): Trigger | undefined => {
  const at = autoCloseAt(view, position)
  return at !== undefined && view.context.now >= at
    ? { rule: "auto_close", when: "now", level: Number.NaN, reads: "closing" }
    : undefined
}

/** When the position is closed by time (ms since the epoch); absent where that is off. */
export const autoCloseAt = (view: Pick<View, "context">, position: Position): number | undefined => {
  const { autoClose: settings } = view.context.settings
  return settings === undefined ? undefined : minutesAfter(position.openedAt, settings.minutes)
}

/** The price at which a market exit makes the minimum profit; absent where nothing gates. */
export const gate = (view: View, figures: Figures): number | undefined => {
  const { minProfitPercent } = view.context.settings
  return minProfitPercent === undefined
    ? undefined
    : profitPrice(figures, minProfitPercent, view.fees.takerRate)
}

const restingAt = (view: View, price: number, position: Position): number => {
  const market = view.context.market(view.id)
  return market === undefined ? price : resting(price, market.priceStep, position.side)
}
