import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import { baseOf, quoteOf } from "../../domain/Market.ts"
import type { Order } from "../../domain/Order.ts"
import type { TradeResponse } from "./Responses.ts"

/** What one unit of an asset is worth in the quote asset; undefined where that is not known. */
export type RateOf = (asset: string) => Decimal.Decimal | undefined

/** The assets in which fees were taken that need a rate from elsewhere. */
export const foreignOf = ({ pair }: Order, trades: ReadonlyArray<TradeResponse>): ReadonlySet<string> => {
  const own = [baseOf(pair), quoteOf(pair)]
  const foreign = trades
    .flatMap(({ fees }) => fees)
    .filter(({ asset, cost }) => !own.includes(asset) && !Decimal.isZero(cost))
  return new Set(foreign.map(({ asset }) => asset))
}

/**
 * A trade as a fill, undefined where a rate is missing. A fee in the coin that was bought is off the quantity: what
 * arrived is reported, and the rest's worth as the fee, so that both together are what was paid. `size` is what one
 * unit of the trade's amount is worth in base: more than one where contracts are counted.
 */
export const fillOf = (
  order: Order,
  trade: TradeResponse,
  size: Decimal.Decimal,
  rateOf: RateOf
): Fill | undefined => {
  const { exchange, id, kind, pair, side } = order
  const [base, quote] = [baseOf(pair), quoteOf(pair)]
  const { at, price } = trade
  const whole = Decimal.multiply(trade.amount, size)
  let quantity = whole
  let fee = Decimal.zero
  let paid: Fill["paid"]
  for (const { asset, cost: signed } of trade.fees) {
    // Exchanges do not agree on the sign of what they take. They give rebates to makers only, which we never are.
    const cost = Decimal.isNegative(signed) ? Decimal.negate(signed) : signed
    if (Decimal.isZero(cost)) continue
    const rate = asset === quote ? Decimal.one : asset === base ? price : rateOf(asset)
    if (rate === undefined) return undefined
    if (asset === base && side === "buy" && kind === "spot") quantity = Decimal.subtract(quantity, cost)
    if (asset !== quote) paid = { asset, amount: cost, rate }
    fee = Decimal.add(fee, Decimal.multiply(cost, rate))
  }
  return {
    ...{ order: id, id: trade.id, exchange, pair, kind, side, quantity, at },
    price: Decimal.toNumber(price),
    notional: Decimal.multiply(quantity, price),
    fee,
    ...(paid === undefined ? {} : { paid })
  }
}
