// The rules of an exchange for pages of candles: how many fit in one, how far back they go, and which timeframes there are.
import type { Timeframe } from "../domain/candles/Timeframe.ts"
import type { MarketKind } from "../domain/Market.ts"

/** The pages of candles of an exchange. */
export interface CandleRules {
  /** The most candles of a page. Fewer may come, which is no harm. */
  readonly rows: Readonly<Record<MarketKind, number>>
  /** The number of newest candles that it serves; undefined if it serves all. */
  readonly newest: number | undefined
  readonly timeframes: ReadonlyArray<Timeframe>
  /** Whether ccxt understands the parameter `until`; otherwise the number of candles alone ends a page. */
  readonly takesUntil: boolean
  /** Whether the volume of a perpetual is counted in contracts, and not in the base asset. */
  readonly inContracts: boolean
}
