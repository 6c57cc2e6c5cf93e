// The exchanges and quote currencies that strategies may name, as a reference. It has a default, so that only embedders with venues of their own
// give a layer of it.
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as VenueList from "../../domain/market/VenueList.ts"

/**
 * The exchanges and quote currencies that strategies may name, read once when the server starts: the seven
 * exchanges and four currencies of the interface, unless you add your own.
 *
 * A venue of your own has no markets, fees and prices until layers of yours provide them: `Markets.with` for the markets
 * and fees, `Tickers` or `PriceFeed` for the prices, and `Exchange` for orders, where they are not filled on paper. A
 * strategy that names what a server does not list is set aside there: its timeline says so, and its bot does nothing
 * until a server lists it again, or the strategy has settings without it. One that trades with real money goes on.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { Markets, Memory, Venues } from "signalbox"
 *
 * const server = Memory.layerWith(
 *   Layer.mergeAll(
 *     Venues.with({ exchanges: ["my-dex"], quoteCurrencies: ["CHF"] }),
 *     Markets.with({
 *       exchange: "my-dex", makerFeePercent: 0.1, takerFeePercent: 0.2,
 *       spot: { "BTC/CHF": { price_step: 0.01, amount_step: 0.0001, min_cost: 5 } }
 *     })
 *   )
 * )
 * ```
 */
export class Venues extends Context.Reference<Venues>()("signalbox/services/feeds/Venues", {
  defaultValue: (): VenueList.VenueList => VenueList.INTERFACE
}) {
  /** The venues of the interface, followed by some of your own. Dies where a name cannot be one. */
  static readonly with = (own: VenueList.OwnVenues): Layer.Layer<Venues> =>
    Layer.sync(Venues, () => VenueList.withOwn(own))
}
