// The port of exchanges and markets, with its in-memory layer: the shipped catalogue, renewed by refreshes and narrowed
// by the operator's switches.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Shipped from "../domain/catalogue/Catalogue.ts"
import {
  EXCHANGE_NAMES,
  type Exchange,
  type ExchangeName,
  type ExchangeNotFound,
  type Market,
  type MarketId,
  MarketNotFound,
  marketKey
} from "../domain/Market.ts"
import * as CatalogueRefresh from "../domain/market/CatalogueRefresh.ts"
import type { Listing } from "../domain/market/Listing.ts"
import { listingOf, type OwnMarkets } from "../domain/market/OwnMarkets.ts"
import { nowSeconds } from "./records/MemoryState.ts"

/** A snapshot of exchanges and markets, to be read without waiting. */
export interface Catalogue {
  readonly exchange: (name: ExchangeName) => Exchange
  readonly market: (id: MarketId) => Option.Option<Market>
  /** Shipped markets in their shipped sequence, then those that a refresh added. */
  readonly markets: (name: ExchangeName) => ReadonlyArray<Market>
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

/** The markets and fees of refreshed exchanges, which replace the shipped ones (see `shelfOf`). */
export type Renewed = ReadonlyMap<ExchangeName, Shipped.Shelf>

/** The shipped catalogue of one exchange with its last report on top: its fees, and markets replaced or added. */
export const shelfOf = (name: ExchangeName, exchange: Exchange, markets: Iterable<Market>): Shipped.Shelf => {
  const all = new Map(Shipped.shelf(name).markets)
  for (const market of markets) all.set(marketKey(market), market)
  return { exchange, markets: all }
}

/**
 * Combines the shipped catalogue, the refreshes and the switches. No switch opens a market that its exchange has
 * closed.
 */
export const catalogueOf = (switches: Switches, renewed: Renewed = new Map()): Catalogue => {
  const shelf = (name: ExchangeName) => renewed.get(name) ?? Shipped.shelf(name)
  const switched = (market: Market, key: string): Market => {
    const set = switches.markets.get(key)
    return set === undefined ? market : { ...market, ...set, active: market.active && (set.active ?? true) }
  }
  return {
    exchange: (name) => {
      const active = switches.exchanges.get(name)
      const { exchange } = shelf(name)
      return active === undefined ? exchange : { ...exchange, active }
    },
    market: (id) => {
      const key = marketKey(id)
      return Option.map(Option.fromNullable(shelf(id.exchange).markets.get(key)), (market) =>
        switched(market, key)
      )
    },
    markets: (name) => Array.from(shelf(name).markets, ([key, market]) => switched(market, key))
  }
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

  static readonly layerMemory = Layer.sync(Markets, () => {
    const switches = { exchanges: new Map<string, boolean>(), markets: new Map<string, MarketSwitches>() }
    const renewed = new Map<ExchangeName, Shipped.Shelf>()
    const refreshes = new Map<ExchangeName, number>()
    const catalogue = catalogueOf(switches, renewed)
    return {
      catalogue: Effect.succeed(catalogue),
      exchanges: Effect.sync(() => EXCHANGE_NAMES.map(catalogue.exchange)),
      list: Effect.fn("Markets.list")((exchange) => Effect.sync(() => catalogue.markets(exchange))),
      switchExchange: Effect.fn("Markets.switchExchange")((name, active) =>
        Effect.sync(() => {
          switches.exchanges.set(name, active)
          return catalogue.exchange(name)
        })
      ),
      switchMarket: Effect.fn("Markets.switchMarket")(function* (id, changes) {
        if (Option.isNone(catalogue.market(id))) return yield* new MarketNotFound(id)
        const key = marketKey(id)
        switches.markets.set(key, { ...switches.markets.get(key), ...changes })
        return yield* Effect.orDie(catalogue.market(id))
      }),
      refreshes: Effect.sync(() => new Map(refreshes)),
      renew: Effect.fn("Markets.renew")(function* (listing) {
        const shelf = renewed.get(listing.exchange) ?? Shipped.shelf(listing.exchange)
        const { exchange, markets, report } = yield* CatalogueRefresh.renew(shelf, listing)
        renewed.set(
          listing.exchange,
          shelfOf(listing.exchange, exchange, [...shelf.markets.values(), ...markets])
        )
        refreshes.set(listing.exchange, yield* nowSeconds)
        return report
      })
    }
  })
}
