// Listings of an exchange's markets, for the contract suites.
import * as Option from "effect/Option"
import { unsafeFromText as decimal, toText } from "../../domain/Decimal.ts"
import type { ExchangeName, Market } from "../../domain/Market.ts"
import type { Listed, Listing } from "../../domain/market/Listing.ts"

export { decimal }

export const fees = { makerFeePercent: decimal("0.05"), takerFeePercent: decimal("0.075") }

/** A market that the exchange describes just as it is known. */
export const listed = ({ buyEnabled: _, minAmount, minCost, ...market }: Market): Listed => ({
  ...market,
  minAmount: Option.some(minAmount),
  minCost: Option.some(minCost)
})

export const listingOf = (exchange: ExchangeName, markets: ReadonlyArray<Listed>): Listing => ({
  exchange,
  markets,
  unreadable: [],
  fees: Option.some(fees)
})

/** To compare by: a decimal from a row is not made like the same one from elsewhere. */
export const plain = ({ amountStep, minAmount, minCost, priceStep, ...market }: Market) => ({
  ...market,
  figures: [priceStep, amountStep, minAmount, minCost].map(toText)
})
