// The in-memory layer of exchanges and markets: the shipped catalogue, renewed by refreshes and narrowed by the
// operator's switches. The layer on disk combines them with the same functions.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Shipped from "../../domain/catalogue/Catalogue.ts"
import {
  EXCHANGE_NAMES,
  type Exchange,
  type ExchangeName,
  isKnownExchange,
  type Market,
  MarketNotFound,
  marketKey
} from "../../domain/Market.ts"
import * as CatalogueRefresh from "../../domain/market/CatalogueRefresh.ts"
import { type Catalogue, type MarketSwitches, Markets, type Switches } from "../Markets.ts"
import { nowSeconds } from "../records/MemoryState.ts"

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
    markets: (name) => Array.from(shelf(name).markets, ([key, market]) => switched(market, key)),
    shippedOn: (name) => (isKnownExchange(name) ? Shipped.recordedOn(name) : undefined)
  }
}

/** The shipped markets, with switches and refreshes that last as long as the layer. */
export const layer = Layer.sync(Markets, () => {
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
