// The port of exchanges and markets. Its in-memory layer is in feeds/MemoryMarkets.ts, apart from the port, so that an app
// which only uses markets does not carry the shipped ones.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type {
  Exchange,
  ExchangeName,
  ExchangeNotFound,
  Market,
  MarketId,
  MarketNotFound
} from "../domain/Market.ts"
import type * as CatalogueRefresh from "../domain/market/CatalogueRefresh.ts"
import type { Listing } from "../domain/market/Listing.ts"
import { listingOf, type OwnMarkets } from "../domain/market/OwnMarkets.ts"

/** A snapshot of exchanges and markets, to be read without waiting. */
export interface Catalogue {
  readonly exchange: (name: ExchangeName) => Exchange
  readonly market: (id: MarketId) => Option.Option<Market>
  /** Shipped markets in their shipped sequence, then those that a refresh added. */
  readonly markets: (name: ExchangeName) => ReadonlyArray<Market>
  /** The day (YYYY-MM-DD) of the list that the program ships; undefined where it ships none. */
  readonly shippedOn: (name: ExchangeName) => string | undefined
}

/** The operator's switches of a market; an absent one stays as it is. */
export interface MarketSwitches {
  readonly active?: boolean
  readonly buyEnabled?: boolean
}

/** All switches ever set: of exchanges by name, of markets by key. Anything absent is on. */
export interface Switches {
  readonly exchanges: ReadonlyMap<string, boolean>
  readonly markets: ReadonlyMap<string, MarketSwitches>
}

/**
 * The catalogue of exchanges and markets with the operator's switches. A port. Switches and refreshes of another
 * process are visible within 100 ms.
 *
 * **An implementation keeps**
 *
 * - Snapshot: a catalogue never changes once taken; a switch appears in the next one, and changes one market or one
 *   exchange and nothing else.
 * - Atomicity: `renew` applies all of a listing or nothing. Switches survive it, and none opens what the exchange has
 *   closed.
 * - Errors: a listing that was cut short or is impossible is refused with the reason, and changes nothing. A switch of
 *   an unknown market fails with `MarketNotFound`.
 *
 * **Proved by** `MarketsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Markets extends Context.Tag("signalbox/services/Markets")<
  Markets,
  {
    /** Takes a snapshot; each read of it costs a map look-up. Take a new one for each batch of work. */
    readonly catalogue: Effect.Effect<Catalogue>
    readonly exchanges: Effect.Effect<ReadonlyArray<Exchange>>
    readonly list: (exchange: ExchangeName) => Effect.Effect<ReadonlyArray<Market>>
    readonly switchExchange: (
      name: ExchangeName,
      active: boolean
    ) => Effect.Effect<Exchange, ExchangeNotFound>
    readonly switchMarket: (id: MarketId, switches: MarketSwitches) => Effect.Effect<Market, MarketNotFound>
    /** When each exchange was refreshed last, in seconds since the epoch; exchanges never refreshed are missing. */
    readonly refreshes: Effect.Effect<ReadonlyMap<ExchangeName, number>>
    /** Applies an exchange's listing, all of it or nothing; the switches stay. */
    readonly renew: (
      listing: Listing
    ) => Effect.Effect<CatalogueRefresh.RefreshReport, CatalogueRefresh.ListingRefused>
  }
>() {
  /**
   * The markets beneath, with those of an exchange of your own, which `Venues.with` lists: they are stored at each start
   * as a refresh of that exchange, so that the operator may switch them like all others. A market that you no longer
   * give is closed. Dies where a name or a number is impossible, or where there was never a market.
   */
  static readonly with = (own: OwnMarkets): Layer.Layer<Markets, never, Markets> =>
    Layer.effect(
      Markets,
      Effect.gen(function* () {
        const markets = yield* Markets
        const { markets: known } = yield* markets.catalogue
        const listing = yield* Effect.sync(() => listingOf(own, known))
        yield* Effect.orDie(markets.renew(listing))
        return markets
      })
    )
}
