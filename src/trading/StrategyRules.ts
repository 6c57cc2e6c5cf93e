// The rules that a strategy request must keep, each a function from the proposal to its violations. All violations of
// all rules are reported together; a rule binds only the fields that the request names.
import * as Option from "effect/Option"
import type { Exchange, ExchangeName, Market, MarketId } from "../domain/Market.ts"
import type { Reading } from "../domain/requests/StrategyRequest.ts"
import { type Violation, violation } from "../domain/requests/Violations.ts"
import type { Signal } from "../domain/Signal.ts"
import type { Listing } from "../domain/Strategy.ts"

/** A strategy request with the exchanges, markets and signal that its fields name. */
export interface Proposal {
  readonly reading: Reading
  readonly exchange: (name: ExchangeName) => Exchange
  readonly market: (id: MarketId) => Option.Option<Market>
  /** The signal named by `signal_id`, if the caller may use it. */
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

/** Types, lengths, bounds, required and dependent fields: everything the request shows by itself. */
export const wellFormed: Rule = ({ reading }) => reading.violations

/** The operator has switched each exchange on. */
export const exchangeActive: Rule = (proposal) =>
  eachListing(proposal, (listing, at) =>
    proposal.exchange(listing.exchange).active
      ? []
      : [`${at} ${listing.exchange} is not active at the moment`]
  )

/** Each exchange has one entry. */
export const exchangeListedOnce: Rule = (proposal) =>
  eachListing(proposal, (listing, at, listings) =>
    listings.filter((other) => other.exchange === listing.exchange).length > 1
      ? [`${at} lists ${listing.exchange} more than once: put its pairs into one entry`]
      : []
  )

/** No pair appears twice in an entry. */
export const pairListedOnce: Rule = (proposal) =>
  eachListing(proposal, (listing, at) =>
    new Set(listing.pairs).size < listing.pairs.length ? [`${at}.coin_pairs lists a pair more than once`] : []
  )

/** Each entry has at least one pair. */
export const somePairs: Rule = (proposal) =>
  eachListing(proposal, (listing, at) =>
    listing.pairs.length > 0 ? [] : [`${at}.coin_pairs must list at least one pair`]
  )

/** All entries together have at most `maxPairs` pairs. */
export const fewEnoughPairs: Rule = (proposal) => {
  const listings = Option.getOrElse(proposal.reading.listings, () => [])
  const count = listings.reduce((sum, listing) => sum + listing.pairs.length, 0)
  return count > proposal.maxPairs
    ? [violation("exchanges", `must list at most ${proposal.maxPairs} pairs`)]
    : []
}

/** Each exchange has a spot market for each of its pairs. */
export const pairAvailable: Rule = (proposal) =>
  eachPair(proposal, (listing, market) =>
    Option.isNone(market) ? `is not available on ${listing.exchange}` : undefined
  )

/** The exchanges that have no spot market for one of their pairs, as far as is known. */
export const exchangesOfUnknown = (
  listings: ReadonlyArray<Listing>,
  market: Proposal["market"]
): ReadonlySet<ExchangeName> =>
  new Set(
    listings
      .filter(({ exchange, pairs }) =>
        pairs.some((pair) => Option.isNone(market({ exchange, pair, kind: "spot" })))
      )
      .map(({ exchange }) => exchange)
  )

/** Each of those markets is active, at the exchange and for the operator. */
export const pairActive: Rule = (proposal) =>
  eachPair(proposal, (listing, market) =>
    Option.exists(market, ({ active }) => !active) ? `is not active on ${listing.exchange}` : undefined
  )

/** Each of those markets is open for buying. */
export const pairEnabledForBuying: Rule = (proposal) =>
  eachPair(proposal, (listing, market) =>
    Option.exists(market, ({ buyEnabled }) => !buyEnabled)
      ? `is not enabled for buying on ${listing.exchange}`
      : undefined
  )

/** The signal is the caller's own or public. */
export const signalAccessible: Rule = ({ reading, signal }) =>
  Option.isSome(reading.signalId) && Option.isNone(signal)
    ? [violation("signal_id", "must be a signal of yours or a public one")]
    : []

/** The signal is active. */
export const signalActive: Rule = ({ signal }) =>
  Option.exists(signal, ({ active }) => !active) ? [violation("signal_id", "must be an active signal")] : []

/** All rules, in the sequence of their reports. */
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

/** All violations of all rules. */
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

/** Names pairs by index: a request's own text is never echoed. */
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
