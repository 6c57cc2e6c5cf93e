import type * as Option from "effect/Option"
import type { Decimal } from "../Decimal.ts"
import type { ExchangeName, MarketId } from "../Market.ts"

/** A market as its exchange describes it. A minimum that the exchange does not name is none. */
export interface Listed extends MarketId {
  /** Whether the exchange trades it now. */
  readonly active: boolean
  readonly priceStep: Decimal
  readonly amountStep: Decimal
  readonly minAmount: Option.Option<Decimal>
  readonly minCost: Option.Option<Decimal>
}

/** A market of which the exchange says something that cannot be traded by; `id` where at least that is clear. */
export interface Unreadable {
  readonly symbol: string
  readonly id: Option.Option<MarketId>
  /** What is wrong with it: `its price step is 0`. */
  readonly flaw: string
}

/** In percent: 0.1 means 0.1 %. */
export interface Fees {
  readonly makerFeePercent: Decimal
  readonly takerFeePercent: Decimal
}

/** All that an exchange says of its markets at one moment. */
export interface Listing {
  readonly exchange: ExchangeName
  readonly markets: ReadonlyArray<Listed>
  readonly unreadable: ReadonlyArray<Unreadable>
  /** What most of its spot markets cost; none where it says nothing that can be believed. */
  readonly fees: Option.Option<Fees>
}
