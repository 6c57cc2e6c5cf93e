// An alert at a market with a price, as the parts of its decision share it.
import type { MarketId } from "../../domain/Market.ts"
import type { PositionSide } from "../../domain/Order.ts"
import type { Ticker } from "../../domain/Ticker.ts"
import type { BotAlert, Draft, EntryTerms } from "../Decision.ts"

/** An alert at a market with a price. `entry` is present where it first closes the other side. */
export interface Arrival {
  readonly draft: Draft
  readonly alert: BotAlert
  readonly id: MarketId
  readonly key: string
  readonly side: PositionSide
  readonly ticker: Ticker
  readonly entry: EntryTerms | undefined
}
