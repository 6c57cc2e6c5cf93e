// `marketKey` memoized per market: on the hot path a newly built string would be hashed again at every look-up. The
// memo grows to the number of markets ever named.
import { type MarketId, marketKey } from "../../domain/Market.ts"

/** The market's key, always the same string object. */
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
