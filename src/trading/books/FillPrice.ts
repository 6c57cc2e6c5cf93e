// The price at which a market order fills on paper and in a back-test, where a fill model is on.

import * as Decimal from "../../domain/Decimal.ts"
import type { FillModel } from "../../domain/fills/FillModel.ts"
import type { Market } from "../../domain/Market.ts"
import type { OrderSide } from "../../domain/Order.ts"
import { type Direction, tidy } from "../Prices.ts"

/** The fill model of a market. */
export interface MarketFills {
  readonly model: FillModel
  readonly market: Market
}

/**
 * The price of a market order: `price` shifted against the order by half the spread, then by the slippage. A sale stays
 * at or above one price step, however many steps it slips.
 */
export const marketPrice = (side: OrderSide, price: number, { market, model }: MarketFills): number => {
  const { slippagePercent = 0, slippageTicks = 0, spreadPercent = 0 } = model
  if (slippagePercent === 0 && slippageTicks === 0 && spreadPercent === 0) return price
  const sign = side === "buy" ? 1 : -1
  const step = Decimal.toNumber(market.priceStep)
  const quoted = price * (1 + (sign * spreadPercent) / 200)
  const filled = quoted * (1 + (sign * slippagePercent) / 100) + sign * slippageTicks * step
  return tidy(Math.max(filled, Math.min(price, step)))
}

/** The price one step beyond a resting order's; where the market has no step, the least price that is not equal. */
export const stepBeyond = (limit: number, when: Direction, { priceStep }: Market): number => {
  const step = Math.max(Decimal.toNumber(priceStep), limit * LEAST_MOVE)
  return tidy(when === "above" ? limit + step : limit - step)
}

/** The least move of a price that counts as one, as a fraction: prices nearer to each other may be equal. */
const LEAST_MOVE = 1e-9
