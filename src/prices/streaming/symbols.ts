// ccxt's symbols of markets, in a file of its own, so that the thread of the price feeds loads little else.
import type { MarketKind } from "../../domain/Market.ts"
import type { Wanted } from "./Wire.ts"

/** ccxt's symbol of a market: `BTC/USDT`, or `BTC/USDT:USDT` for the perpetual settled in USDT. */
export const symbolOf = ({ kind, pair }: Pick<Wanted, "kind" | "pair">): string =>
  kind === "spot" ? pair : `${pair}:${pair.slice(pair.indexOf("/") + 1)}`

export const kindOf = (symbol: string): MarketKind => (symbol.includes(":") ? "swap" : "spot")
