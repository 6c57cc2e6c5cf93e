// Fee rates of orders. Market orders pay the taker fee. A limit order pays the maker fee on paper, where it rests, and
// the taker fee live, where it fills at once or not at all.
import * as Decimal from "../../domain/Decimal.ts"
import type { Order } from "../../domain/Order.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { MarketFills } from "./FillPrice.ts"

/**
 * What trading on a market costs: fee rates as fractions (0.001 is 0.1 %), exact for money and as doubles for price
 * levels. `fills` is there where a fill model is on: orders then cost slippage and spread beside the fees.
 */
export interface Fees {
  readonly maker: Decimal.Decimal
  readonly taker: Decimal.Decimal
  readonly makerRate: number
  readonly takerRate: number
  readonly fills?: MarketFills
}

/** Rates in percent, as exchanges and market files state them. */
export interface FeePercents {
  readonly makerFeePercent: Decimal.Decimal
  readonly takerFeePercent: Decimal.Decimal
}

/** The strategy's own fees if it has any, else those of the trading exchange; with the fill model, if one is on. */
export const feesOf = (settings: Settings, exchange: FeePercents, fills?: MarketFills): Fees => {
  const maker = percent(settings.makerFeePercent, exchange.makerFeePercent)
  const taker = percent(settings.takerFeePercent, exchange.takerFeePercent)
  const fees = { maker, taker, makerRate: Decimal.toNumber(maker), takerRate: Decimal.toNumber(taker) }
  return fills === undefined ? fees : { ...fees, fills }
}

/** Whether an order pays the maker fee: a limit order on paper. */
export const isMaker = (type: Order["type"], isLive: boolean): boolean => type === "limit" && !isLive

/** The rate that an order pays, as a fraction. */
export const rateOf = ({ live, type }: Pick<Order, "live" | "type">, fees: Fees): Decimal.Decimal =>
  isMaker(type, live !== undefined) ? fees.maker : fees.taker

const percent = (own: number | undefined, exchange: Decimal.Decimal): Decimal.Decimal =>
  Decimal.percentOf(Decimal.one, own === undefined ? exchange : Decimal.fromNumber(own))
