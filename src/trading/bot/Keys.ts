import { type MarketId, marketKey } from "../../domain/Market.ts"

/**
 * `marketKey`, made once for each market: on the hot path a text that was put together anew has to be hashed anew at
 * every look-up. As large as the number of markets ever named.
 */
export const keyOf = (id: MarketId): string => {
  const pairs = id.kind === "spot" ? spot : swap
  const known = pairs.get(id.pair)
  if (known !== undefined && known.exchange === id.exchange) return known.key
  const key = marketKey(id)
  pairs.set(id.pair, { exchange: id.exchange, key })
  return key
}

interface Known {
  readonly exchange: string
  readonly key: string
}
const spot = new Map<string, Known>()
const swap = new Map<string, Known>()
