import { fieldOf } from "./Failure.ts"

/**
 * The markets that we know, which are spot and linear perpetuals. They are thousands, and the exchange's own words on
 * each are most of what they weigh; of those only the kinds of orders are asked for again, by binance.
 */
export const lean = (markets: unknown): unknown => {
  if (!Array.isArray(markets)) return markets
  const kinds = new Map<string, unknown>()
  const some = markets.filter(
    (market) => fieldOf(market, "spot") === true || fieldOf(market, "linear") === true
  )
  for (const market of some) {
    const orderTypes = fieldOf(market.info, "orderTypes")
    if (Array.isArray(orderTypes)) {
      const key = orderTypes.join()
      market.info = kinds.get(key) ?? { orderTypes }
      kinds.set(key, market.info)
    } else market.info = {}
  }
  return some
}
