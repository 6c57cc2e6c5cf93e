import * as Option from "effect/Option"
import type { Exchange, ExchangeName, Market, MarketId } from "../domain/Market.ts"
import type { Reading } from "../domain/requests/StrategyRequest.ts"
import { type Violation, violation } from "../domain/requests/Violations.ts"
import type { Signal } from "../domain/Signal.ts"
import type { Listing } from "../domain/Strategy.ts"

/** A request with what its fields point at, ready to be judged. */
export interface Proposal {
  readonly reading: Reading
  readonly exchange: (name: ExchangeName) => Exchange
  readonly market: (id: MarketId) => Option.Option<Market>
  /** The signal that `signal_id` names, where it is accessible to the caller. */
  readonly signal: Option.Option<Signal>
  readonly maxPairs: number
}

/**
 * One condition of the interface. It binds only fields that the request names.
 *
 * @example
 * ```ts
 * import { Option } from "effect"
 * import { violation } from "signalbox/domain/requests/Violations"
 * import type { Rule } from "signalbox/trading/StrategyRules"
 *
 * const stopLossRequired: Rule = ({ reading }) =>
 *   Option.exists(reading.settings, ({ stopLoss }) => stopLoss === undefined)
 *     ? [violation("stop_loss", "must be switched on")]
 *     : []
 * ```
 */
export type Rule = (proposal: Proposal) => ReadonlyArray<Violation>

/** Types, lengths, bounds, required and dependent fields: all that the request shows by itself. */
export const wellFormed: Rule = ({ reading }) => reading.violations

/** The operator has switched the exchanges on. */
export const exchangeActive: Rule = (proposal) =>
  eachListing(proposal, (listing, at) =>
    proposal.exchange(listing.exchange).active
      ? []
      : [`${at} ${listing.exchange} is not active at the moment`]
  )

/** No exchange stands in two entries. */
export const exchangeListedOnce: Rule = (proposal) =>
  eachListing(proposal, (listing, at, listings) =>
    listings.filter((other) => other.exchange === listing.exchange).length > 1
      ? [`${at} lists ${listing.exchange} more than once: put its pairs into one entry`]
      : []
  )

/** No pair stands twice in an entry. */
export const pairListedOnce: Rule = (proposal) =>
  eachListing(proposal, (listing, at) =>
    new Set(listing.pairs).size < listing.pairs.length ? [`${at}.coin_pairs lists a pair more than once`] : []
  )

/** Each entry names a pair at least. */
export const somePairs: Rule = (proposal) =>
  eachListing(proposal, (listing, at) =>
    listing.pairs.length > 0 ? [] : [`${at}.coin_pairs must list at least one pair`]
  )

/** Not more than `maxPairs` over all entries. */
export const fewEnoughPairs: Rule = (proposal) => {
  const listings = Option.getOrElse(proposal.reading.listings, () => [])
  const count = listings.reduce((sum, listing) => sum + listing.pairs.length, 0)
  return count > proposal.maxPairs
    ? [violation("exchanges", `must list at most ${proposal.maxPairs} pairs`)]
    : []
}

/** Each exchange has a spot market of each of its pairs. */
export const pairAvailable: Rule = (proposal) =>
  eachPair(proposal, (listing, market) =>
    Option.isNone(market) ? `is not available on ${listing.exchange}` : undefined
  )

/** Those markets are open: neither the exchange nor the operator has closed them. */
export const pairActive: Rule = (proposal) =>
  eachPair(proposal, (listing, market) =>
    Option.exists(market, ({ active }) => !active) ? `is not active on ${listing.exchange}` : undefined
  )

/** Nobody has closed those markets for buying. */
export const pairEnabledForBuying: Rule = (proposal) =>
  eachPair(proposal, (listing, market) =>
    Option.exists(market, ({ buyEnabled }) => !buyEnabled)
      ? `is not enabled for buying on ${listing.exchange}`
      : undefined
  )

/** The signal is the caller's own, or public. */
export const signalAccessible: Rule = ({ reading, signal }) =>
  Option.isSome(reading.signalId) && Option.isNone(signal)
    ? [violation("signal_id", "must be a signal of yours or a public one")]
    : []

/** The signal is switched on. */
export const signalActive: Rule = ({ signal }) =>
  Option.exists(signal, ({ active }) => !active) ? [violation("signal_id", "must be an active signal")] : []

/** All rules of the interface. */
export const rules: ReadonlyArray<Rule> = [
  wellFormed,
  exchangeActive,
  exchangeListedOnce,
  somePairs,
  pairListedOnce,
  fewEnoughPairs,
  pairAvailable,
  pairActive,
  pairEnabledForBuying,
  signalAccessible,
  signalActive
]

/** Every violation of every rule. */
export const validate =
  (rules: ReadonlyArray<Rule>) =>
  (proposal: Proposal): ReadonlyArray<Violation> =>
    rules.flatMap((rule) => rule(proposal))

const eachListing = (
  { reading }: Proposal,
  judge: (listing: Listing, at: string, listings: ReadonlyArray<Listing>) => ReadonlyArray<string>
): ReadonlyArray<Violation> =>
  Option.getOrElse(reading.listings, () => []).flatMap((listing, index, listings) =>
    judge(listing, `[${index}]`, listings).map((text) => violation("exchanges", text))
  )

/** Pairs are named by their place: what a caller sent is never echoed. */
const eachPair = (
  proposal: Proposal,
  judge: (listing: Listing, market: Option.Option<Market>) => string | undefined
): ReadonlyArray<Violation> =>
  eachListing(proposal, (listing, at) =>
    listing.pairs.flatMap((pair, index) => {
      const text = judge(listing, proposal.market({ exchange: listing.exchange, pair, kind: "spot" }))
      return text === undefined ? [] : [`${at}.coin_pairs[${index}] ${text}`]
    })
  )
