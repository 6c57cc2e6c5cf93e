// The markets and fees that a back-test uses: a market file of the caller's first, then the catalogue.
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import type { MarketId, Pair } from "../../domain/Market.ts"
import { type MarketFile, marketOf } from "../../domain/market/MarketFile.ts"
import type { BacktestMarkets } from "../../trading/backtest/BacktestMarkets.ts"
import type { Catalogue } from "../Markets.ts"

/** Resolves markets and fees; `overrides` are market files by pair. */
export const factsOf = (
  catalogue: Catalogue,
  overrides: ReadonlyMap<Pair, MarketFile> = new Map()
): Omit<BacktestMarkets, "balance"> => ({
  market: (id: MarketId) => {
    const file = overrides.get(id.pair)
    if (file !== undefined) return marketOf(file, id)
    const market = Option.getOrUndefined(catalogue.market(id))
    return market && { ...market, active: market.active && catalogue.exchange(id.exchange).active }
  },
  fees: (id: MarketId) => {
    const { makerFeePercent, takerFeePercent } = catalogue.exchange(id.exchange)
    const file = overrides.get(id.pair)
    return {
      makerFeePercent: file?.maker_fee === undefined ? makerFeePercent : Decimal.fromNumber(file.maker_fee),
      takerFeePercent: file?.taker_fee === undefined ? takerFeePercent : Decimal.fromNumber(file.taker_fee)
    }
  }
})
