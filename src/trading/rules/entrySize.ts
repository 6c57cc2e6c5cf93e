// The notional that an entry wants: a percentage of equity, never more than what a stop-out may cost, or a share of what
// the position holds.
import type { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { PositionSide } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import type { Context } from "../Decision.ts"
import * as Sizing from "../Sizing.ts"

/** What the size of an entry depends on besides settings and equity. */
export interface SizeFacts {
  readonly side: PositionSide
  readonly price: number
  readonly sl?: number | undefined
  /** In place of the strategy's own percentage. */
  readonly buyPercentage?: number | undefined
  /** The open position that the entry adds to, and the share of its quantity by which a chart's position grows. */
  readonly held?: Position | undefined
  readonly growth?: number | undefined
}

/** The percentage of equity that an entry buys for. A strategy whose own is 0 never buys. */
export const buyPercentOf = ({ settings }: Context, { buyPercentage }: SizeFacts): number =>
  settings.buyPercent === 0 ? 0 : (buyPercentage ?? settings.buyPercent)

/** Whether the strategy sizes by risk and this entry has no stop to size it by. */
export const lacksStop = (context: Context, facts: SizeFacts): boolean =>
  isByRisk(context, facts) && distanceOf(context, facts) === undefined

/** The wanted notional in quote. */
export const wantedOf = (context: Context, state: BotState, facts: SizeFacts): Decimal.Decimal => {
  const { growth, held, price } = facts
  if (growth !== undefined && held !== undefined)
    return Decimal.product(
      Decimal.product(held.quantity, Decimal.fromNumber(growth)),
      Decimal.fromNumber(price)
    )
  const equity = Sizing.equity(context, state)
  const most = Decimal.percentOf(equity, Decimal.fromNumber(buyPercentOf(context, facts)))
  const { riskPercent } = context.settings
  const distance = riskPercent === undefined ? undefined : distanceOf(context, facts)
  if (riskPercent === undefined || distance === undefined || !Decimal.isPositive(distance)) return most
  const lost = Decimal.percentOf(equity, Decimal.fromNumber(riskPercent))
  return Decimal.min(most, Decimal.divide(Decimal.product(lost, Decimal.fromNumber(price)), distance))
}

/** The growth of a chart's position decides the size by itself. */
const isByRisk = ({ settings }: Context, { growth, held }: SizeFacts): boolean =>
  settings.riskPercent !== undefined && !(growth !== undefined && held !== undefined)

/** How far the stop lies from the price: the entry's own, the one held, or the strategy's; undefined if there is none. */
const distanceOf = ({ settings }: Context, { held, price, sl }: SizeFacts): Decimal.Decimal | undefined => {
  const at = Decimal.fromNumber(price)
  const stop = sl ?? held?.sl
  if (stop !== undefined) {
    const away = Decimal.subtract(at, Decimal.fromNumber(stop))
    return Decimal.isNegative(away) ? Decimal.negate(away) : away
  }
  return settings.stopLoss === undefined
    ? undefined
    : Decimal.percentOf(at, Decimal.fromNumber(settings.stopLoss.percent))
}
