import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Shelf } from "../catalogue/Catalogue.ts"
import * as Decimal from "../Decimal.ts"
import { ExchangeName, type Market, type MarketId, type MarketKind, marketKey } from "../Market.ts"
import type { Listed, Listing } from "./Listing.ts"

/** What a listing makes of the shelf of its exchange. */
export interface CatalogueRefresh {
  readonly exchange: Shelf["exchange"]
  /** To be stored: all that the exchange lists, and what it lists no longer. The rest stays as it was. */
  readonly markets: ReadonlyArray<Market>
  readonly told: RefreshReport
}

/** What became of the markets, in the order in which the exchange or the shelf names them. */
export interface RefreshReport {
  /** How many are known from now on. */
  readonly known: number
  readonly added: ReadonlyArray<MarketId>
  readonly changed: ReadonlyArray<MarketId>
  /** Were active, and are no longer listed. */
  readonly gone: ReadonlyArray<MarketId>
  /** Are listed no longer, or not so that it can be traded by, and too little is known to go by it. */
  readonly left: ReadonlyArray<MarketId>
}

/** A listing that would close most of what is known says more about the answer than about the exchange. */
export class ListingRefused extends Schema.TaggedError<ListingRefused>()("ListingRefused", {
  exchange: ExchangeName,
  known: Schema.Int,
  found: Schema.Int
}) {
  override get message() {
    const found = this.found === 0 ? "none" : `only ${this.found}`
    return `${this.exchange} is not refreshed: its answer lists ${found} of the ${this.known} markets that are known of it, as if it were cut short; try again later`
  }
}

/** The shelf as the listing renews it; refused where fewer than half of the markets known as active can be read in it. */
export const renew = (shelf: Shelf, listing: Listing): Either.Either<CatalogueRefresh, ListingRefused> => {
  const listed = new Map(listing.markets.map((market) => [marketKey(market), market]))
  const unreadable = new Set(
    listing.unreadable.flatMap(({ id }) => Option.toArray(Option.map(id, marketKey)))
  )
  const traded = [...shelf.markets.values()].filter(({ active }) => active)
  const found = traded.filter((market) => listed.has(marketKey(market)))
  if (listed.size === 0 || isFew(found.length, traded.length)) {
    const { exchange } = listing
    return Either.left(new ListingRefused({ exchange, known: traded.length, found: found.length }))
  }
  const untold = new Set(KINDS.filter((kind) => isFew(countOf(found, kind), countOf(traded, kind))))
  const missing = traded.filter((market) => !listed.has(marketKey(market)))
  const isLeft = (market: Market) => unreadable.has(marketKey(market)) || untold.has(market.kind)
  const gone = missing.filter((market) => !isLeft(market)).map((market) => ({ ...market, active: false }))
  // What is not traded, and never was while we looked, would only fill the lists.
  const kept = [...listed.values()].filter((market) => market.active || shelf.markets.has(marketKey(market)))
  const markets = kept.map((market) => marketOf(market, shelf.markets.get(marketKey(market))))
  const added = markets.filter((market) => !shelf.markets.has(marketKey(market)))
  return Either.right({
    exchange: { ...shelf.exchange, ...Option.getOrElse(listing.fees, () => ({})) },
    markets: [...markets, ...gone],
    told: {
      known: shelf.markets.size + added.length,
      added,
      changed: markets.filter((market) => isOther(market, shelf.markets.get(marketKey(market)))),
      gone,
      left: missing.filter(isLeft)
    }
  })
}

const KINDS: ReadonlyArray<MarketKind> = ["spot", "swap"]

const isFew = (found: number, known: number): boolean => found * 2 < known

const countOf = (markets: ReadonlyArray<Market>, kind: MarketKind): number =>
  markets.filter((market) => market.kind === kind).length

/** A minimum that the exchange does not name stays what it was: the shipped ones are known from elsewhere. */
const marketOf = (listed: Listed, known: Market | undefined): Market => ({
  ...listed,
  buyEnabled: true,
  minAmount: Decimal.max(
    Option.getOrElse(listed.minAmount, () => known?.minAmount ?? listed.amountStep),
    listed.amountStep
  ),
  minCost: Option.getOrElse(listed.minCost, () => known?.minCost ?? Decimal.zero)
})

const FIGURES = ["priceStep", "amountStep", "minAmount", "minCost"] as const

const isOther = (market: Market, known: Market | undefined): boolean =>
  known !== undefined &&
  (market.active !== known.active || FIGURES.some((name) => !Decimal.equals(market[name], known[name])))
