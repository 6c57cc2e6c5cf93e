import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Shipped from "../domain/Catalogue.ts"
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

/** What is known of exchanges and markets right now, to be read without waiting. */
export interface Catalogue {
  readonly exchange: (name: ExchangeName) => Exchange
  readonly market: (id: MarketId) => Option.Option<Market>
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

/** The shipped catalogue as the operator's switches leave it. */
export const catalogueOf = (switches: Switches): Catalogue => {
  const market = (id: MarketId) => {
    const shipped = Shipped.find(id)
    const set = switches.markets.get(marketKey(id))
    return set === undefined ? shipped : Option.map(shipped, (known): Market => ({ ...known, ...set }))
  }
  const exchange = (name: ExchangeName): Exchange => {
    const active = switches.exchanges.get(name)
    return active === undefined ? Shipped.exchange(name) : { ...Shipped.exchange(name), active }
  }
  return { exchange, market }
}

/** The markets of an exchange in that catalogue, in the order they were shipped in. */
export const marketsOf = ({ market }: Catalogue, name: ExchangeName): ReadonlyArray<Market> =>
  Shipped.markets(name).map((shipped) => Option.getOrElse(market(shipped), () => shipped))

/**
 * The catalogue of exchanges and markets with the operator's switches. A port. Switches set by another process
 * are seen within 100 ms.
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
  }
>() {
  static readonly layerMemory = Layer.sync(Markets, () => {
    const switches = { exchanges: new Map<string, boolean>(), markets: new Map<string, MarketSwitches>() }
    const catalogue = catalogueOf(switches)
    return {
      catalogue: Effect.succeed(catalogue),
      exchanges: Effect.sync(() => EXCHANGE_NAMES.map(catalogue.exchange)),
      list: Effect.fn("Markets.list")((exchange) => Effect.sync(() => marketsOf(catalogue, exchange))),
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
      })
    }
  })
}
