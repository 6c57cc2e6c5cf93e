import type { MarketKind } from "../../domain/Market.ts"
import type { Wanted } from "./Wire.ts"

/** The library's name of a market: `BTC/USDT`, and `BTC/USDT:USDT` for the perpetual settled in USDT. */
export const symbolOf = ({ kind, pair }: Wanted): string =>
  kind === "spot" ? pair : `${pair}:${pair.slice(pair.indexOf("/") + 1)}`

export const kindOf = (symbol: string): MarketKind => (symbol.includes(":") ? "swap" : "spot")
