// The pairs that an alert's symbol may mean: those of the account's own strategies first, then all listed ones.
// Strategies of other accounts on a public signal never change what its alerts mean.
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import { type Pairs, type Shelf, shelve } from "../../domain/alert/AlertPairs.ts"
import { type ExchangeName, quoteOf } from "../../domain/Market.ts"
import type { SignalId } from "../../domain/Signal.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { Venues } from "../feeds/Venues.ts"
import { type Catalogue, Markets } from "../Markets.ts"
import { StrategyStore } from "../StrategyStore.ts"

/** Makes the two look-ups. */
export const make = Effect.gen(function* () {
  const store = yield* StrategyStore
  const markets = yield* Markets
  const { exchanges } = yield* Venues
  return {
    /** The pairs of the account's followers of the signal, and all listed pairs. */
    of: (account: AccountId, signal: SignalId): Effect.Effect<Pairs> =>
      Effect.zipWith(store.followers(signal, account), markets.catalogue, (followers, catalogue) => ({
        own: traded(followers),
        all: listed(catalogue, exchanges)
      })),
    /** The followers' pairs from the cache; empty where they are not cached, so that the caller asks `of`. */
    recall: (account: AccountId, signal: SignalId): Pairs => {
      const followers = store.recall(signal, account)
      return followers === undefined ? UNKNOWN : { own: traded(followers) }
    }
  }
})

const UNKNOWN: Pairs = { own: shelve([]) }

/** Cached by list of followers and by catalogue: neither ever changes. */
const ofFollowers = new WeakMap<ReadonlyArray<Strategy>, Shelf>()
const ofCatalogue = new WeakMap<Catalogue, Shelf>()

const traded = (followers: ReadonlyArray<Strategy>): Shelf => {
  const known = ofFollowers.get(followers)
  if (known !== undefined) return known
  const pairs = followers.flatMap(({ settings }) =>
    settings.exchanges.flatMap((listing) =>
      listing.pairs.map((pair) => ({ pair, isTraded: quoteOf(pair) === settings.quote }))
    )
  )
  const shelf = shelve(
    pairs.map(({ pair }) => pair),
    pairs.filter(({ isTraded }) => isTraded).map(({ pair }) => pair)
  )
  ofFollowers.set(followers, shelf)
  return shelf
}

const listed = (catalogue: Catalogue, exchanges: ReadonlyArray<ExchangeName>): Shelf => {
  const known = ofCatalogue.get(catalogue)
  if (known !== undefined) return known
  const shelf = shelve(exchanges.flatMap((name) => catalogue.markets(name).map(({ pair }) => pair)))
  ofCatalogue.set(catalogue, shelf)
  return shelf
}
