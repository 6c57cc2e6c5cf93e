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
import { nowSeconds } from "./records/MemoryState.ts"

/** What is known of exchanges and markets right now, to be read without waiting. */
export interface Catalogue {
  readonly exchange: (name: ExchangeName) => Exchange
  readonly market: (id: MarketId) => Option.Option<Market>
  /** The shipped ones in the order they were shipped in, then those that a refresh brought. */
  readonly markets: (name: ExchangeName) => ReadonlyArray<Market>
}

/** The operator's switches of a market; what is absent stays as it is. */
export interface MarketSwitches {
  readonly active?: boolean
  readonly buyEnabled?: boolean
}

/** All switches that were ever set: of exchanges by name, of markets by key. What is not there is on. */
export interface Switches {
  readonly exchanges: ReadonlyMap<string, boolean>
  readonly markets: ReadonlyMap<string, MarketSwitches>
}

/** What exchanges said of themselves at their last refresh, over what was shipped (see `shelfOf`). */
export type Renewed = ReadonlyMap<ExchangeName, Shipped.Shelf>

/** The shipped shelf of an exchange, with what it said of itself since: its fees, and markets instead of or beside. */
export const shelfOf = (name: ExchangeName, exchange: Exchange, markets: Iterable<Market>): Shipped.Shelf => {
  const all = new Map(Shipped.shelf(name).markets)
  for (const market of markets) all.set(marketKey(market), market)
  return { exchange, markets: all }
}

/**
 * The shipped catalogue as refreshes renew it and the operator's switches leave it: no switch opens a market that
 * its exchange has closed.
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
 * process are seen within 100 ms.
 *
 * **Whoever implements it keeps**
 *
 * - Snapshot: a catalogue that was taken never changes; a switch is in the next one, and changes one market or one
 *   exchange and nothing beside it.
 * - Atomicity: `renew` takes over all of a listing or nothing of it. Switches survive it, and none opens what the
 *   exchange has closed.
 * - Errors: an answer that was cut short, or says something impossible, is refused with what is wrong, and changes
 *   nothing. A switch of a market that is not there fails with `MarketNotFound`.
 *
 * **Proved by** `MarketsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Markets extends Context.Tag("signalbox/services/Markets")<
  Markets,
  {
    /** A snapshot whose reads cost a map look-up; take it anew for each batch of work. */
    readonly catalogue: Effect.Effect<Catalogue>
    readonly exchanges: Effect.Effect<ReadonlyArray<Exchange>>
    readonly list: (exchange: ExchangeName) => Effect.Effect<ReadonlyArray<Market>>
    readonly switchExchange: (
      name: ExchangeName,
      active: boolean
    ) => Effect.Effect<Exchange, ExchangeNotFound>
    readonly switchMarket: (id: MarketId, switches: MarketSwitches) => Effect.Effect<Market, MarketNotFound>
    /** When exchanges said of themselves what is known of them, in seconds since the epoch: those that ever did. */
    readonly refreshes: Effect.Effect<ReadonlyMap<ExchangeName, number>>
    /** Takes over what an exchange says of itself, all of it or nothing; the switches stay as they are. */
    readonly renew: (
      listing: Listing
    ) => Effect.Effect<CatalogueRefresh.RefreshReport, CatalogueRefresh.ListingRefused>
  }
>() {
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
        const { exchange, markets, told } = yield* CatalogueRefresh.renew(shelf, listing)
        renewed.set(
          listing.exchange,
          shelfOf(listing.exchange, exchange, [...shelf.markets.values(), ...markets])
        )
        refreshes.set(listing.exchange, yield* nowSeconds)
        return told
      })
    }
  })
}
