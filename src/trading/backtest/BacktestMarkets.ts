// The markets, fees and balance of a back-test, and their form for another thread: functions and exact decimals cannot
// be cloned, so they travel as rows and texts.
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import { Market, type MarketId, marketKey } from "../../domain/Market.ts"
import type { FeePercents } from "../books/Fees.ts"

/** The markets, fees and balance of a back-test. */
export interface BacktestMarkets {
  readonly balance: Decimal.Decimal
  readonly market: (id: MarketId) => Market | undefined
  /** The fees of the exchange or market, in percent; the strategy's own fees override them. */
  readonly fees: (id: MarketId) => FeePercents
}

/** The encoded form for another thread. */
export const MarketsMessage = Schema.Struct({
  balance: Decimal.Text,
  markets: Schema.Array(
    Schema.Struct({ market: Market, makerFeePercent: Decimal.Text, takerFeePercent: Decimal.Text })
  )
})

/** Encodes the spot market and the perpetual of each place. */
export const encodeMarkets = (
  { balance, fees, market }: BacktestMarkets,
  places: ReadonlyArray<Pick<MarketId, "exchange" | "pair">>
): typeof MarketsMessage.Encoded =>
  encode({
    balance,
    markets: places.flatMap(({ exchange, pair }) =>
      (["spot", "swap"] as const).flatMap((kind) => {
        const id = { exchange, pair, kind }
        const found = market(id)
        return found === undefined ? [] : [{ market: found, ...fees(id) }]
      })
    )
  })

/** Decodes the form. A market that it does not list does not exist. */
export const decodeMarkets = (message: typeof MarketsMessage.Encoded): BacktestMarkets => {
  const { balance, markets } = decode(message)
  const known = new Map(markets.map((one) => [marketKey(one.market), one]))
  return {
    balance,
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
