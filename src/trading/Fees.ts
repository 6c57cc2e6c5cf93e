import * as Decimal from "../domain/Decimal.ts"
import type { Settings } from "../domain/Strategy.ts"

/** Fee rates as fractions (0.001 is 0.1 %): exact for money, as doubles for price levels. */
export interface Fees {
  readonly maker: Decimal.Decimal
  readonly taker: Decimal.Decimal
  readonly makerRate: number
  readonly takerRate: number
}

/** Rates in percent, as exchanges and market files state them. */
export interface FeePercents {
  readonly makerFeePercent: Decimal.Decimal
  readonly takerFeePercent: Decimal.Decimal
}

/** The strategy's own fees where it has them, else those of the exchange it trades on. */
export const feesOf = (settings: Settings, exchange: FeePercents): Fees => {
  const maker = percent(settings.makerFeePercent, exchange.makerFeePercent)
  const taker = percent(settings.takerFeePercent, exchange.takerFeePercent)
  return { maker, taker, makerRate: Decimal.toNumber(maker), takerRate: Decimal.toNumber(taker) }
}

const percent = (own: number | undefined, exchange: Decimal.Decimal): Decimal.Decimal =>
  Decimal.percentOf(Decimal.one, own === undefined ? exchange : Decimal.fromNumber(own))
