// An exchange's listing: its markets with their steps and minimums, those it describes unusably, and its usual fees.
import type * as Option from "effect/Option"
import type { Decimal } from "../Decimal.ts"
import type { ExchangeName, MarketId } from "../Market.ts"

/** A market as its exchange describes it. A minimum that the exchange does not name is none. */
export interface Listed extends MarketId {
  /** Whether it is traded now. */
  readonly active: boolean
  readonly priceStep: Decimal
  readonly amountStep: Decimal
  readonly minAmount: Option.Option<Decimal>
  readonly minCost: Option.Option<Decimal>
}

/** A market whose description is unusable; `id` if at least that is clear. */
export interface Unreadable {
  readonly symbol: string
  readonly id: Option.Option<MarketId>
  /** The reason, such as `its price step is 0`. */
  readonly error: string
}

/** Fees in percent: 0.1 means 0.1 %. */
export interface Fees {
  readonly makerFeePercent: Decimal
  readonly takerFeePercent: Decimal
}

/** The whole listing of an exchange at one time. */
export interface Listing {
  readonly exchange: ExchangeName
  readonly markets: ReadonlyArray<Listed>
  readonly unreadable: ReadonlyArray<Unreadable>
  /** The fees of most of its spot markets; none if the exchange states nothing plausible. */
  readonly fees: Option.Option<Fees>
}
