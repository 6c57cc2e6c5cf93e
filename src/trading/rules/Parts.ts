// How much of a position a part closes: the wanted quantity in amount steps. A part under the market's minimum closes
// nothing and is owed; where the rest would be under it, all is closed.
import * as Decimal from "../../domain/Decimal.ts"
import type { Market } from "../../domain/Market.ts"
import type { Position } from "../../domain/Position.ts"
import * as Sizing from "../Sizing.ts"

/** What a part comes to. */
export type PartPlan =
  | { readonly _tag: "Part"; readonly quantity: Decimal.Decimal }
  | { readonly _tag: "Owed" }
  | { readonly _tag: "Whole" }

/** The quantity (base) that a closing alert wants of what is held now, with what earlier parts owe. Not rounded. */
export const wanted = ({ owed = Decimal.zero, quantity }: Position, percent: number): Decimal.Decimal =>
  Decimal.add(Decimal.percentOf(quantity, Decimal.fromNumber(percent)), owed)

/**
 * Rounds a wanted quantity down to the amount step (two thirds of three steps are two, however a double writes
 * them), and judges it and the rest by the market's minimum at a price.
 */
export const plan = (
  { quantity: held }: Position,
  amount: Decimal.Decimal,
  price: number,
  market: Market | undefined
): PartPlan => {
  const quantity =
    market === undefined
      ? amount
      : Decimal.floorToStep(Decimal.product(amount, Sizing.NEARLY), market.amountStep)
  if (market !== undefined && !Sizing.isTradable(quantity, price, market)) return { _tag: "Owed" }
  const rest = Decimal.subtract(held, quantity)
  const isLeft = market === undefined ? Decimal.isPositive(rest) : Sizing.isTradable(rest, price, market)
  return isLeft ? { _tag: "Part", quantity } : { _tag: "Whole" }
}

/** The position with a part that was too small to be sold: the next part takes it along. */
export const owing = (position: Position, owed: Decimal.Decimal): Position => ({ ...position, owed })

/** The position without what it owed, which is being closed. */
export const settled = (position: Position): Position => {
  const { owed: _, ...rest } = position
  return rest
}
