// The quantity of an entry in exact decimals: wanted notional / price, capped so that notional plus taker fee fits the
// free cash, rounded down to the amount step.
import * as BigDecimal from "effect/BigDecimal"
import type { BotState } from "../domain/Bot.ts"
import * as Decimal from "../domain/Decimal.ts"
import type { Market } from "../domain/Market.ts"
import type { Fees } from "./books/Fees.ts"
import { marketPrice } from "./books/FillPrice.ts"
import * as Positions from "./books/Positions.ts"
import type { Context } from "./Decision.ts"
import { closingPrice } from "./Prices.ts"

/** Free cash plus open positions at market, without fees. A position without a price counts at its cost. */
export const equity = (context: Context, state: BotState): Decimal.Decimal => {
  let total = state.cash
  for (const key in state.slots) {
    const slot = state.slots[key]
    if (slot?.position === undefined) continue
    const { position } = slot
    const ticker = context.quote(slot)
    const worth =
      ticker === undefined ? position.basis : Positions.worth(position, closingPrice(position.side, ticker))
    total = Decimal.add(total, worth)
  }
  return total
}

/** One part in 10^12 more, so that a level off in its last digit does not lose a whole step. */
export const NEARLY = Decimal.unsafeFromText("1.000000000001")

/** The budget of an entry: the notional wanted and the free cash, in quote, at a price. */
export interface Budget {
  readonly wanted: Decimal.Decimal
  readonly free: Decimal.Decimal
  readonly price: number
}

/**
 * The quantity of an entry. The wanted notional is rounded with the tolerance `NEARLY`; the affordable one is not, so the
 * fee never takes cash below zero.
 */
export const quantity = ({ free, price, wanted }: Budget, market: Market, fees: Fees): Decimal.Decimal => {
  if (!Decimal.isPositive(wanted) || !Decimal.isPositive(free)) return Decimal.zero
  const stepCost = Decimal.product(Decimal.fromNumber(price), market.amountStep)
  const paid = Decimal.product(Decimal.fromNumber(dearest(price, fees)), market.amountStep)
  const most = Decimal.product(paid, Decimal.add(Decimal.one, fees.taker))
  const { scale, value } = market.amountStep
  const amount = (steps: bigint) => BigDecimal.make(steps * value, scale)
  const whole = Decimal.wholeSteps(Decimal.product(wanted, NEARLY), stepCost)
  return Decimal.min(amount(whole), amount(Decimal.wholeSteps(free, most)))
}

/** The notional plus taker fee of an entry. */
export const reserved = (quantity: Decimal.Decimal, price: number, fees: Fees): Decimal.Decimal => {
  const notional = Decimal.multiply(quantity, Decimal.fromNumber(dearest(price, fees)))
  return Decimal.add(notional, Decimal.multiply(notional, fees.taker))
}

/** The price at which an entry sets money aside: with slippage and spread where a fill model has them. */
const dearest = (price: number, { fills }: Fees): number =>
  fills === undefined ? price : marketPrice("buy", price, fills)

/** Whether the quantity and its notional reach the market's minimums. */
export const isTradable = (amount: Decimal.Decimal, price: number, market: Market): boolean =>
  Decimal.isPositive(amount) &&
  Decimal.greaterThanOrEqualTo(amount, market.minAmount) &&
  Decimal.greaterThanOrEqualTo(Decimal.product(amount, Decimal.fromNumber(price)), market.minCost)
