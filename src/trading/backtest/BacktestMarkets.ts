// The markets, fees and balance of a back-test, and their form for another thread: functions and exact decimals cannot
// be cloned, so they travel as rows and texts.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import * as FillModel from "../../domain/fills/FillModel.ts"
import type { FundingRate } from "../../domain/fills/FundingRate.ts"
import { optional } from "../../domain/internal/Optional.ts"
import { Market, type MarketId, marketKey } from "../../domain/Market.ts"
import type { FeePercents } from "../books/Fees.ts"
import * as Spreads from "./Spreads.ts"

/** The markets, fees and balance of a back-test. */
export interface BacktestMarkets {
  readonly balance: Decimal.Decimal
  readonly market: (id: MarketId) => Market | undefined
  /** The fees of the exchange or market, in percent; the strategy's own fees override them. */
  readonly fees: (id: MarketId) => FeePercents
  /** How fills are made nearer to life; absent: each at the price of its decision. */
  readonly fillModel?: FillModel.FillModel | undefined
  /** The funding rates of a perpetual, by time; absent: no funding. */
  readonly funding?: ((id: MarketId) => ReadonlyArray<FundingRate>) | undefined
  /** The recorded spreads of a market; absent: none is recorded. */
  readonly spreads?: ((id: MarketId) => Spreads.Spreads) | undefined
}

const Numbers = Schema.declare((value): value is Float64Array => value instanceof Float64Array)

/** The encoded form for another thread. */
export const MarketsMessage = Schema.Struct({
  balance: Decimal.Text,
  markets: Schema.Array(
    Schema.Struct({
      market: Market,
      makerFeePercent: Decimal.Text,
      takerFeePercent: Decimal.Text,
      funding: optional(Schema.Array(Schema.Struct({ at: Schema.Number, rate: Schema.Number }))),
      spreads: optional(Schema.Struct({ at: Numbers, percent: Numbers }))
    })
  ),
  fillModel: optional(FillModel.FillModelDocument)
})

/** Encodes the spot market and the perpetual of each place. */
export const encodeMarkets = (
  { balance, fees, fillModel, funding, market, spreads }: BacktestMarkets,
  places: ReadonlyArray<Pick<MarketId, "exchange" | "pair">>
): typeof MarketsMessage.Encoded =>
  encode({
    balance,
    ...(fillModel === undefined ? {} : { fillModel: FillModel.documentOf(fillModel) }),
    markets: places.flatMap(({ exchange, pair }) =>
      (["spot", "swap"] as const).flatMap((kind) => {
        const id = { exchange, pair, kind }
        const found = market(id)
        if (found === undefined) return []
        const rates = kind === "swap" && funding !== undefined ? { funding: funding(id) } : {}
        const recorded = spreads === undefined ? {} : { spreads: spreads(id) }
        return [{ market: found, ...fees(id), ...rates, ...recorded }]
      })
    )
  })

/** Decodes the form. A market that it does not list does not exist. */
export const decodeMarkets = (message: typeof MarketsMessage.Encoded): BacktestMarkets => {
  const { balance, fillModel, markets } = decode(message)
  const known = new Map(markets.map((one) => [marketKey(one.market), one]))
  const hasSpreads = markets.some(({ spreads }) => spreads !== undefined)
  const hasFunding = markets.some(({ funding }) => funding !== undefined)
  return {
    balance,
    ...(fillModel === undefined ? {} : { fillModel: Either.getOrThrow(FillModel.ofDocument(fillModel)) }),
    ...(hasFunding ? { funding: (id) => known.get(marketKey(id))?.funding ?? [] } : {}),
    ...(hasSpreads ? { spreads: (id) => known.get(marketKey(id))?.spreads ?? Spreads.NONE } : {}),
    market: (id) => known.get(marketKey(id))?.market,
    fees: (id: MarketId) => {
      const found = known.get(marketKey(id))
      if (found === undefined) throw new Error(`there are no fees for ${marketKey(id)}`)
      return found
    }
  }
}

const encode = Schema.encodeSync(MarketsMessage)
const decode = Schema.decodeSync(MarketsMessage)
