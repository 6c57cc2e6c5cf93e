// Converts an exchange's trades to fills. Quantities become base units and every fee becomes quote; without a known
// rate there is no fill yet, and no fee is ever assumed to be zero.
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import { baseOf, quoteOf } from "../../domain/Market.ts"
import type { Order } from "../../domain/Order.ts"
import type { TradeResponse } from "./Responses.ts"

/** The worth of one unit of an asset in quote; undefined if unknown. */
export type RateOf = (asset: string) => Decimal.Decimal | undefined

/** The fee assets of the trades that need a rate. */
export const foreignOf = ({ pair }: Order, trades: ReadonlyArray<TradeResponse>): ReadonlySet<string> => {
  const own = [baseOf(pair), quoteOf(pair)]
  const foreign = trades
    .flatMap(({ fees }) => fees)
    .filter(({ asset, cost }) => !own.includes(asset) && !Decimal.isZero(cost))
  return new Set(foreign.map(({ asset }) => asset))
}

/**
 * The fill of a trade; undefined without a rate. A fee in the bought coin reduces the quantity: the fill reports what
 * arrived, and the fee's worth, which together are what was paid. `size` is one unit of the trade's amount in base,
 * more than one for contracts.
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
    // Exchanges disagree on the sign of fees. Rebates go to makers only, which live orders never are.
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
