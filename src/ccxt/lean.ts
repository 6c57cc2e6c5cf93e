// Drops from ccxt's markets what we never read. An exchange has thousands, and the raw text of each is most of its
// weight.
import { fieldOf } from "./Field.ts"

/**
 * Keeps spot and linear perpetual markets. Of their raw `info` only the order types stay, which ccxt reads again for
 * binance.
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
