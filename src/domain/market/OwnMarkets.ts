// The fees and markets of an exchange of an embedder's own, and the listing that they make.
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Decimal from "../Decimal.ts"
import { optional } from "../internal/Optional.ts"
import { ExchangeName, type Market, type MarketKind, marketKey, Pair } from "../Market.ts"
import { Fee } from "../Strategy.ts"
import type { Listed, Listing } from "./Listing.ts"
import { MarketFile, marketOf } from "./MarketFile.ts"

/** Markets by pair, `BTC/CHF` and the like. */
type MarketFiles = Readonly<Record<string, MarketFile>>

/**
 * An exchange of your own: its fees in percent (0.1 means 0.1 %), and its markets by pair, with the fields of
 * `signalbox market show --json`. `swap` are its perpetuals.
 */
export interface OwnMarkets {
  readonly exchange: string
  readonly makerFeePercent: number
  readonly takerFeePercent: number
  readonly spot?: MarketFiles
  readonly swap?: MarketFiles
}

const Files = optional(Schema.Record({ key: Pair, value: MarketFile }))
const parse = Schema.decodeUnknownSync(
  Schema.Struct({
    exchange: ExchangeName,
    makerFeePercent: Fee,
    takerFeePercent: Fee,
    spot: Files,
    swap: Files
  }),
  { onExcessProperty: "error" }
)

/**
 * The listing of an exchange of your own. Markets that were `known` and are no longer given are closed. Throws where a
 * name or a number is impossible.
 */
export const listingOf = (
  own: OwnMarkets,
  known: (exchange: ExchangeName) => ReadonlyArray<Market>
): Listing => {
  const { exchange, makerFeePercent, spot = {}, swap = {}, takerFeePercent } = parse(own)
  const given = [...listed(exchange, "spot", spot), ...listed(exchange, "swap", swap)]
  const keys = new Set(given.map(marketKey))
  const gone = known(exchange).filter((market) => !keys.has(marketKey(market)))
  return {
    exchange,
    markets: [...given, ...gone.map((market) => asListed({ ...market, active: false }))],
    unreadable: [],
    fees: Option.some({
      makerFeePercent: Decimal.fromNumber(makerFeePercent),
      takerFeePercent: Decimal.fromNumber(takerFeePercent)
    })
  }
}

const listed = (exchange: ExchangeName, kind: MarketKind, files: MarketFiles): ReadonlyArray<Listed> =>
  Object.entries(files).map(([pair, file]) =>
    asListed(marketOf(file, { exchange, pair: Pair.make(pair), kind }))
  )

const asListed = ({
  active,
  amountStep,
  exchange,
  kind,
  minAmount,
  minCost,
  pair,
  priceStep
}: Market): Listed => ({
  ...{ exchange, kind, pair, active, priceStep, amountStep },
  minAmount: Option.some(minAmount),
  minCost: Option.some(minCost)
})
