// Refreshes the catalogue of one exchange from its listing. A listing with fewer than half of the known active markets
// is refused: it was probably cut short.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Shelf } from "../catalogue/Catalogue.ts"
import * as Decimal from "../Decimal.ts"
import { ExchangeName, type Market, type MarketId, type MarketKind, marketKey } from "../Market.ts"
import type { Listed, Listing } from "./Listing.ts"

/** The result of a refresh. */
export interface CatalogueRefresh {
  readonly exchange: Shelf["exchange"]
  /** The markets to store: those listed, and those no longer listed. All others stay as they are. */
  readonly markets: ReadonlyArray<Market>
  readonly report: RefreshReport
}

/** The changes of the markets, in the sequence of the listing or the catalogue. */
export interface RefreshReport {
  /** The number of markets known from now on. */
  readonly known: number
  readonly added: ReadonlyArray<MarketId>
  readonly changed: ReadonlyArray<MarketId>
  /** Markets that were active and are no longer listed. */
  readonly gone: ReadonlyArray<MarketId>
  /** Markets that are no longer listed, or listed unusably, with too little evidence to close them. */
  readonly left: ReadonlyArray<MarketId>
}

/** The listing would close most of the known markets, which suggests a bad answer. */
export class ListingRefused extends Schema.TaggedError<ListingRefused>()("ListingRefused", {
  exchange: ExchangeName,
  known: Schema.Int,
  found: Schema.Int
}) {
  override get message() {
    const found = this.found === 0 ? "none" : `only ${this.found}`
    return `${this.exchange} is not refreshed: its answer lists ${found} of its ${this.known} known markets, as if it were cut short; try again later`
  }
}

/** Refreshes the catalogue; refused if the listing has fewer than half of the known active markets. */
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
  // A market that is not traded and not known yet would only fill the lists.
  const kept = [...listed.values()].filter((market) => market.active || shelf.markets.has(marketKey(market)))
  const markets = kept.map((market) => marketOf(market, shelf.markets.get(marketKey(market))))
  const added = markets.filter((market) => !shelf.markets.has(marketKey(market)))
  return Either.right({
    exchange: { ...shelf.exchange, ...Option.getOrElse(listing.fees, () => ({})) },
    markets: [...markets, ...gone],
    report: {
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

/** A minimum that the exchange does not name keeps its known value; the shipped ones come from other sources. */
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
