import * as Decimal from "../../../src/domain/Decimal.ts"
import type { Quote } from "../Protocol.ts"
import { type Flaw, refuse } from "./Flaw.ts"
import type { Ticket } from "./Order.ts"

/** Refuses what is not on the market's steps, or below its minimums. */
export const check = (ticket: Ticket, quote: Quote): void => {
  const { amount, cost, market, price, trigger } = ticket
  if (market.active === false) refuse("closed_market")
  if ((amount === undefined) === (cost === undefined)) refuse("bad_request")
  if (ticket.type === "limit" && price === undefined) refuse("bad_request")
  for (const each of [price, trigger?.price]) onStep(each, market.priceStep, "price_step")
  onStep(amount, market.amountStep, "amount_step")
  if (amount !== undefined && below(amount, market.minAmount)) refuse("min_amount")
  const worth = price ?? trigger?.price ?? Decimal.fromNumber(quote.last)
  const value = cost ?? Decimal.product(amount ?? Decimal.zero, worth)
  if (ticket.reduceOnly !== true && below(value, market.minCost)) refuse("min_cost")
}

const below = (value: Decimal.Decimal, least: string) =>
  !Decimal.isPositive(value) || Decimal.lessThan(value, Decimal.unsafeFromText(least))

const onStep = (value: Decimal.Decimal | undefined, step: string, flaw: Flaw): void => {
  if (value === undefined) return
  if (!Decimal.isPositive(value)) refuse(flaw)
  if (!Decimal.equals(Decimal.floorToStep(value, Decimal.unsafeFromText(step)), value)) refuse(flaw)
}
