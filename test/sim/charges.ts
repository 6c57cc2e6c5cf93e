// How the exchange charges the last fill of an order with real money.
import * as Decimal from "../../src/domain/Decimal.ts"
import { baseOf } from "../../src/domain/Market.ts"
import type { Placed } from "../../src/testing/Venue.ts"

/** A limit order that fills at once pays the taker fee. */
export const asTaker = ({ fills, ticket }: Placed): void => {
  const last = fills.at(-1)
  if (last === undefined) return
  fills[fills.length - 1] = { ...last, fee: Decimal.multiply(last.notional, ticket.fees.taker) }
}

/** The fee is taken in the coin bought, so less of it arrives. */
export const inCoin = ({ fills, ticket }: Placed): void => {
  const last = fills.at(-1)
  if (last === undefined) return
  const rate = Decimal.fromNumber(last.price)
  const amount = Decimal.multiply(last.quantity, ticket.fees.taker)
  const quantity = Decimal.subtract(last.quantity, amount)
  fills[fills.length - 1] = {
    ...last,
    quantity,
    notional: Decimal.multiply(quantity, rate),
    fee: Decimal.multiply(amount, rate),
    paid: { asset: baseOf(last.pair), amount, rate }
  }
}
